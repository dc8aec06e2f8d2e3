// Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs nothing but Go.
//
//	board := NewBoard(heard.Setting, heard.Seat) // once, from hello
//	board.Update(heard.View)                     // each turn
//	if board.Gold >= board.Price(House) {
//		out.Encode(map[string]any{"type": "order", "order": BuildOrder(House, board.Sites()[0])})
//	}
//
// Build it together with the bot: go build -o bot bot.go demons.go. Numbers in brackets are paragraphs of the rule
// book.
package main

import (
	"encoding/json"
	"fmt"
)

// Tile is a column and a row.
type Tile struct{ X, Y int }

// Compass is a direction (1.2).
type Compass string

const (
	North Compass = "N"
	East  Compass = "E"
	South Compass = "S"
	West  Compass = "W"
)

// Kind is a kind of tower. There are churches only under the rules of the finals.
type Kind string

const (
	House    Kind = "house"
	Crossbow Kind = "crossbow"
	Cannon   Kind = "cannon"
	Minigun  Kind = "minigun"
	Church   Kind = "church"
)

var (
	compass = []Compass{North, East, South, West}
	steps   = map[Compass]Tile{North: {0, -1}, East: {1, 0}, South: {0, 1}, West: {-1, 0}}
)

// Beside returns the tile next to this one in a direction.
func (tile Tile) Beside(way Compass) Tile {
	return Tile{tile.X + steps[way].X, tile.Y + steps[way].Y}
}

// Tower is a tower on a tile.
type Tower struct {
	Tile
	Kind     Kind
	Owner    string
	Cooldown int
}

// Unit is a unit on a tile: a mercenary and its owner, or a demon and its target.
type Unit struct {
	Tile
	Kind, Side     string
	Health, Damage int
}

// Board is the board as it is now.
type Board struct {
	Seat string
	Gold int // mine

	rows   []string
	lanes  [][]Tile
	covers map[Kind]map[Tile]bool // in steps east and south
	seen   struct {
		Towers []Tower
		Units  []Unit
		Prices map[string]map[Kind]int
		Bases  map[string]struct {
			Gold   int
			Queued map[Compass]int
		}
	}
}

// NewBoard makes a board from the setting and the seat in hello.
func NewBoard(setting json.RawMessage, seat string) *Board {
	var read struct {
		Rows  []string
		Lanes [][][2]int
		Guide struct{ Covers map[Kind][][2]int }
	}
	if err := json.Unmarshal(setting, &read); err != nil {
		panic(err)
	}
	board := &Board{Seat: seat, rows: read.Rows, covers: map[Kind]map[Tile]bool{}}
	for _, lane := range read.Lanes {
		tiles := []Tile{}
		for _, pair := range lane {
			tiles = append(tiles, Tile{pair[0], pair[1]})
		}
		board.lanes = append(board.lanes, tiles)
	}
	for kind, pairs := range read.Guide.Covers {
		board.covers[kind] = map[Tile]bool{}
		for _, pair := range pairs {
			board.covers[kind][Tile{pair[0], pair[1]}] = true
		}
	}
	return board
}

// Update reads the view of this turn.
func (board *Board) Update(view json.RawMessage) {
	board.seen.Towers, board.seen.Units = nil, nil
	if err := json.Unmarshal(view, &board.seen); err != nil {
		panic(err)
	}
	board.Gold = board.seen.Bases[board.Seat].Gold
}

// ---- the map

// Ground says what a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1).
func (board *Board) Ground(tile Tile) string {
	if tile.Y < 0 || tile.Y >= len(board.rows) || tile.X < 0 || tile.X >= len(board.rows[0]) {
		return "abyss"
	}
	switch board.rows[tile.Y][tile.X] {
	case '.':
		return "abyss"
	case 'r', 'p':
		return "red"
	case 'b', 'q':
		return "blue"
	case 'R', 'B':
		return "base"
	}
	return "path"
}

// Neighbours returns the directions of the tiles next to this one, without the abyss (1.2); Tile.Beside gives the tile.
func (board *Board) Neighbours(tile Tile) []Compass {
	found := []Compass{}
	for _, way := range compass {
		if board.Ground(tile.Beside(way)) != "abyss" {
			found = append(found, way)
		}
	}
	return found
}

// Distance counts squares along rows and columns, as the range of towers does (8.3). For lanes see LaneSteps.
func (board *Board) Distance(a, b Tile) int { return apart(a.X, b.X) + apart(a.Y, b.Y) }

func apart(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}

// Reaches says whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3).
func (board *Board) Reaches(kind Kind, tower, target Tile) bool {
	return board.covers[kind][Tile{target.X - tower.X, target.Y - tower.Y}]
}

// place finds the lane of a tile and its place there, or -1 and 0.
func (board *Board) place(tile Tile) (int, int) {
	for lane, tiles := range board.lanes {
		for place, there := range tiles {
			if there == tile {
				return lane, place
			}
		}
	}
	return -1, 0
}

// Lane is the number of the lane on which a tile lies, as red counts them (1.8), or -1.
func (board *Board) Lane(tile Tile) int {
	lane, _ := board.place(tile)
	return lane
}

// LaneSteps is the number of steps along the lane from a tile to a player's base (1.4), or -1.
func (board *Board) LaneSteps(tile Tile, player string) int {
	lane, place := board.place(tile)
	if lane < 0 {
		return -1
	}
	if player == "red" {
		return place + 1
	}
	return len(board.lanes[lane]) - place
}

// ---- what is where

// Tower returns the tower on a tile, or nil.
func (board *Board) Tower(tile Tile) *Tower {
	for i := range board.seen.Towers {
		if board.seen.Towers[i].Tile == tile {
			return &board.seen.Towers[i]
		}
	}
	return nil
}

// Unit returns the unit on a tile, or nil.
func (board *Board) Unit(tile Tile) *Unit {
	for i := range board.seen.Units {
		if board.seen.Units[i].Tile == tile {
			return &board.seen.Units[i]
		}
	}
	return nil
}

// Towers returns the tiles with towers of a player.
func (board *Board) Towers(owner string) []Tile {
	found := []Tile{}
	for _, tower := range board.seen.Towers {
		if tower.Owner == owner {
			found = append(found, tower.Tile)
		}
	}
	return found
}

// Mercenaries returns the tiles with mercenaries of a player.
func (board *Board) Mercenaries(owner string) []Tile { return board.units("mercenary", owner) }

// Demons returns the tiles with demons on their way to a player's base.
func (board *Board) Demons(target string) []Tile { return board.units("demon", target) }

func (board *Board) units(kind, side string) []Tile {
	found := []Tile{}
	for _, unit := range board.seen.Units {
		if unit.Kind == kind && unit.Side == side {
			found = append(found, unit.Tile)
		}
	}
	return found
}

// Sites returns the tiles on which you can build: your territory without towers (3.3, 3.4), row by row.
func (board *Board) Sites() []Tile {
	found := []Tile{}
	for y, row := range board.rows {
		for x := range row {
			if tile := (Tile{x, y}); board.Ground(tile) == board.Seat && board.Tower(tile) == nil {
				found = append(found, tile)
			}
		}
	}
	return found
}

// Exits returns the directions in which you can send mercenaries (4.2).
func (board *Board) Exits() []Compass {
	found := []Compass{}
	for _, way := range compass {
		if _, ok := board.seen.Bases[board.Seat].Queued[way]; ok {
			found = append(found, way)
		}
	}
	return found
}

// Price is what a tower costs you now (8.1, 11.4).
func (board *Board) Price(kind Kind) int { return board.seen.Prices[board.Seat][kind] }

// ---- orders

// BuildOrder builds a tower (3.2).
func BuildOrder(kind Kind, tile Tile) string {
	return fmt.Sprintf("build %s %d,%d", kind, tile.X, tile.Y)
}

// DestroyOrder destroys one of your towers (3.7).
func DestroyOrder(tile Tile) string { return fmt.Sprintf("destroy %d,%d", tile.X, tile.Y) }

// HireOrder hires a mercenary and sends it this way (4.1).
func HireOrder(direction Compass) string { return "hire " + string(direction) }

// ProvokeOrder provokes the demons, under the rules of the finals (11.10).
func ProvokeOrder() string { return "provoke" }
