// Helpers for Monad: the map, distances, who is where, and orders. Needs nothing but Go.
//
//	board := NewBoard(heard.Setting, heard.Seat) // once, from hello
//	board.Update(heard.View)                     // each turn
//	for _, tile := range board.Stacks(board.Seat) {
//		if ways := board.Towards(tile, Tile{4, 7}); len(ways) > 0 {
//			order := MoveOrder(tile, ways[0], board.Units(tile))
//			out.Encode(map[string]any{"type": "order", "order": order})
//		}
//	}
//
// Build it together with the bot: go build -o bot bot.go monad.go. Numbers in brackets are paragraphs of the rule book.
package main

import (
	"encoding/json"
	"fmt"
)

// Tile is a column and a row.
type Tile struct{ X, Y int }

// Direction is a word of the rule book (1.2).
type Direction string

const (
	Up    Direction = "up"
	Right Direction = "right"
	Down  Direction = "down"
	Left  Direction = "left"
)

var (
	directions = []Direction{Up, Right, Down, Left}
	steps      = map[Direction]Tile{Up: {0, -1}, Right: {1, 0}, Down: {0, 1}, Left: {-1, 0}}
	// Where the block of a building lies, seen from its core (5.2).
	blocks = map[Direction]Tile{Up: {1, -1}, Right: {1, 1}, Down: {-1, 1}, Left: {-1, -1}}
)

// Beside returns the tile next to this one in a direction.
func (tile Tile) Beside(way Direction) Tile {
	return Tile{tile.X + steps[way].X, tile.Y + steps[way].Y}
}

// Building is a building, by its core.
type Building struct {
	Tile
	Owner     string
	Direction Direction
	Points    int
}

type stack struct {
	Tile
	Owner string
	Units int
}

// Board is the whole board as it is now.
type Board struct {
	Seat  string
	Stock int // mine

	start [][]int // ore at the start; -1 is blocked
	seen  struct {
		Stacks    []stack
		Buildings []Building
		Stock     map[string]int
		Ore       []struct {
			Tile
			Left int
		}
	}
	ore       map[Tile]int
	stacks    map[Tile]stack
	buildings map[Tile]Building
	covered   map[Tile]bool
	fields    map[Tile]map[Tile]int // distances, worked out once per target
}

// NewBoard makes a board from the setting and the seat in hello.
func NewBoard(setting json.RawMessage, seat string) *Board {
	var read struct{ Ore [][]int }
	if err := json.Unmarshal(setting, &read); err != nil {
		panic(err)
	}
	return &Board{Seat: seat, start: read.Ore, fields: map[Tile]map[Tile]int{}}
}

// Update reads the view of this turn.
func (board *Board) Update(view json.RawMessage) {
	board.seen.Ore, board.seen.Stacks, board.seen.Buildings = nil, nil, nil
	if err := json.Unmarshal(view, &board.seen); err != nil {
		panic(err)
	}
	board.Stock = board.seen.Stock[board.Seat]
	board.ore, board.stacks = map[Tile]int{}, map[Tile]stack{}
	board.buildings, board.covered = map[Tile]Building{}, map[Tile]bool{}
	for _, ore := range board.seen.Ore {
		board.ore[ore.Tile] = ore.Left
	}
	for _, stack := range board.seen.Stacks {
		board.stacks[stack.Tile] = stack
	}
	for _, building := range board.seen.Buildings {
		board.buildings[building.Tile] = building
		for _, tile := range Block(building.Tile, building.Direction) {
			board.covered[tile] = true
		}
	}
}

// ---- the map

// Blocked says whether nobody can enter a tile: it is blocked (1.4) or not on the board.
func (board *Board) Blocked(tile Tile) bool {
	inside := tile.Y >= 0 && tile.Y < len(board.start) && tile.X >= 0 && tile.X < len(board.start[0])
	return !inside || board.start[tile.Y][tile.X] < 0
}

// Neighbours returns the directions in which a unit can go from here (1.2, 4.1); Tile.Beside gives the tile.
func (board *Board) Neighbours(tile Tile) []Direction {
	found := []Direction{}
	for _, way := range directions {
		if !board.Blocked(tile.Beside(way)) {
			found = append(found, way)
		}
	}
	return found
}

// Distance is the number of moves from tile to tile, around blocked tiles; -1 if there is no way.
func (board *Board) Distance(start, target Tile) int {
	if steps, ok := board.field(target)[start]; ok {
		return steps
	}
	return -1
}

// Towards returns every direction that begins a shortest way; none if there is no way, or if you are there.
func (board *Board) Towards(start, target Tile) []Direction {
	found, here := []Direction{}, board.Distance(start, target)
	for _, way := range board.Neighbours(start) {
		if here > 0 && board.Distance(start.Beside(way), target) == here-1 {
			found = append(found, way)
		}
	}
	return found
}

func (board *Board) field(target Tile) map[Tile]int {
	if field, ok := board.fields[target]; ok {
		return field
	}
	field, queue := map[Tile]int{}, []Tile{}
	if !board.Blocked(target) {
		field[target] = 0
		queue = append(queue, target)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, way := range board.Neighbours(queue[0]) {
			there := queue[0].Beside(way)
			if _, ok := field[there]; !ok {
				field[there] = field[queue[0]] + 1
				queue = append(queue, there)
			}
		}
	}
	board.fields[target] = field
	return field
}

// ---- what is where

// Owner says whose units stand on a tile; "" if there are none.
func (board *Board) Owner(tile Tile) string { return board.stacks[tile].Owner }

// Units is the number of units on a tile, whoever owns them.
func (board *Board) Units(tile Tile) int { return board.stacks[tile].Units }

// Ore is the ore that is left on a tile.
func (board *Board) Ore(tile Tile) int {
	if left, ok := board.ore[tile]; ok || board.Blocked(tile) {
		return left
	}
	return board.start[tile.Y][tile.X]
}

// Stacks returns the tiles with units of a player, in reading order.
func (board *Board) Stacks(owner string) []Tile {
	found := []Tile{}
	for _, stack := range board.seen.Stacks {
		if stack.Owner == owner {
			found = append(found, stack.Tile)
		}
	}
	return found
}

// Building returns the building whose core is on this tile (5.1), or nil.
func (board *Board) Building(tile Tile) *Building {
	if building, ok := board.buildings[tile]; ok {
		return &building
	}
	return nil
}

// Cores returns the cores of a player's buildings, in reading order.
func (board *Board) Cores(owner string) []Tile {
	found := []Tile{}
	for _, building := range board.seen.Buildings {
		if building.Owner == owner {
			found = append(found, building.Tile)
		}
	}
	return found
}

// Covered says whether a tile is part of a building.
func (board *Board) Covered(tile Tile) bool { return board.covered[tile] }

// Sites returns the directions in which a building has room here (5.3). Whether you can pay is another question.
func (board *Board) Sites(core Tile) []Direction {
	found := []Direction{}
	for _, way := range directions {
		free := true
		for _, tile := range Block(core, way) {
			free = free && !board.Blocked(tile) && !board.Covered(tile)
		}
		if free {
			found = append(found, way)
		}
	}
	return found
}

// Block returns the four tiles of a building, the core first (5.2).
func Block(core Tile, way Direction) []Tile {
	x, y := core.X+blocks[way].X, core.Y+blocks[way].Y
	return []Tile{core, {x, core.Y}, {core.X, y}, {x, y}}
}

// ---- orders

// MoveOrder lets units go one step (4.1).
func MoveOrder(tile Tile, direction Direction, number int) string {
	return fmt.Sprintf("move %d,%d %s %d", tile.X, tile.Y, direction, number)
}

// BuildOrder lets units found a building (5); one is enough.
func BuildOrder(tile Tile, direction Direction, number int) string {
	return fmt.Sprintf("build %d,%d %s %d", tile.X, tile.Y, direction, number)
}

// WorkOrder lets units work in your building; 5 count (6.1, 6.3).
func WorkOrder(tile Tile, number int) string {
	return fmt.Sprintf("work %d,%d %d", tile.X, tile.Y, number)
}

// MineOrder lets units mine, 1 ore each (7.1).
func MineOrder(tile Tile, number int) string {
	return fmt.Sprintf("mine %d,%d %d", tile.X, tile.Y, number)
}
