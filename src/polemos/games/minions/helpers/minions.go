// Helpers for Minions: the maps, distances, what is where, and orders. Needs nothing but Go.
//
//	board := NewBoard(heard.Setting, heard.Seat) // once, from hello
//	board.Update(heard.View)                     // each turn, and whenever an update has a view
//	for _, hex := range board.Units(1, board.Seat) {
//		if free := board.Moves(1, hex); len(free) > 0 {
//			out.Encode(map[string]any{"type": "order", "order": MoveOrder(1, hex, free[0])})
//		}
//	}
//
// Build it together with the bot: go build -o bot bot.go minions.go. Boards are numbered from 1. A hex is its name,
// such as "c2". Numbers in brackets are paragraphs of the rule book.
package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

var steps = [6][2]int{{-1, 0}, {1, 0}, {0, 1}, {-1, 1}, {0, -1}, {1, -1}} // (1.2)

// Type is a type of unit (3.1).
type Type struct {
	Name         string
	Speed, Range int
	Keywords     []string
}

// Has says whether a type has a keyword, such as Flying or Spawn (7).
func (kind Type) Has(keyword string) bool {
	for _, word := range kind.Keywords {
		if word == keyword {
			return true
		}
	}
	return false
}

// Unit is a unit on a board; N is the letter of necromancers.
type Unit struct {
	Hex, Side, Letter string
	Type              string
	Damage, Used      int
	Moved, Fresh      bool
	Figures           Type `json:"-"`
}

// Done says whether a unit cannot move because it has moved, has attacked or was spawned this turn.
func (unit Unit) Done() bool { return unit.Moved || unit.Fresh || unit.Used > 0 }

// Board holds all boards of the match as they are now.
type Board struct {
	Seat string

	types, necromancers map[string]Type // they may share names
	grounds             []string        // of each board: G, W or a blank
	units               []map[string]Unit
	seen                view
}

type view struct {
	Side   string // to move
	Money  map[string]int
	Boards []struct {
		State                 string
		Units                 []Unit
		Zones                 map[string]map[string]int
		Due, Closed, Resigned bool
	}
}

// NewBoard makes a board from the setting and the seat in hello.
func NewBoard(setting json.RawMessage, seat string) *Board {
	var read struct {
		Maps                []string
		Units, Necromancers []Type
	}
	if err := json.Unmarshal(setting, &read); err != nil {
		panic(err)
	}
	board := &Board{Seat: seat, types: map[string]Type{}, necromancers: map[string]Type{}}
	for _, kind := range read.Units {
		board.types[kind.Name] = kind
	}
	for _, kind := range read.Necromancers {
		board.necromancers[kind.Name] = kind
	}
	for _, rows := range read.Maps { // (15.1)
		ground := ""
		for _, sign := range strings.ReplaceAll(rows, "/", "") {
			switch sign {
			case 'G', 'W':
				ground += string(sign)
			case '0':
				ground += strings.Repeat(" ", 10)
			default:
				ground += strings.Repeat(" ", int(sign-'0'))
			}
		}
		board.grounds = append(board.grounds, ground)
	}
	return board
}

// Update reads the view of this turn.
func (board *Board) Update(message json.RawMessage) {
	board.seen, board.units = view{}, nil
	if err := json.Unmarshal(message, &board.seen); err != nil {
		panic(err)
	}
	for _, one := range board.seen.Boards {
		units := map[string]Unit{}
		for _, unit := range one.Units {
			unit.Figures = board.types[unit.Type]
			if unit.Letter == "N" {
				unit.Figures = board.necromancers[unit.Type]
			}
			units[unit.Hex] = unit
		}
		board.units = append(board.units, units)
	}
}

// filter returns the hexes that fit, rank by rank.
func filter(fits func(hex string) bool) []string {
	found := []string{}
	for rank := '0'; rank <= '9'; rank++ {
		for file := 'a'; file <= 'j'; file++ {
			if hex := string(file) + string(rank); fits(hex) {
				found = append(found, hex)
			}
		}
	}
	return found
}

// ---- the map

// Ground says what a hex is: "plain", "graveyard" or "water" (1.4).
func (board *Board) Ground(number int, hex string) string {
	switch board.grounds[number-1][10*int(hex[1]-'0')+int(hex[0]-'a')] {
	case 'G':
		return "graveyard"
	case 'W':
		return "water"
	}
	return "plain"
}

// Graveyards returns the graveyards of a board, rank by rank.
func (board *Board) Graveyards(number int) []string {
	return filter(func(hex string) bool { return board.Ground(number, hex) == "graveyard" })
}

// Neighbours returns the hexes next to this one (1.2).
func (board *Board) Neighbours(hex string) []string {
	found := []string{}
	for _, step := range steps {
		file, rank := int(hex[0])+step[0], int(hex[1])+step[1]
		if file >= 'a' && file <= 'j' && rank >= '0' && rank <= '9' {
			found = append(found, string(rune(file))+string(rune(rank)))
		}
	}
	return found
}

// Distance is the distance between two hexes, whatever lies between them (1.3).
func (board *Board) Distance(a, b string) int {
	dx, dy := int(a[0])-int(b[0]), int(a[1])-int(b[1])
	most := 0
	for _, figure := range []int{dx, -dx, dy, -dy, dx + dy, -dx - dy} {
		if figure > most {
			most = figure
		}
	}
	return most
}

// Walk is the number of steps of the unit on a hex to another hex, around water and enemies, or over them if it flies;
// -1 if there is no way. Its speed does not count here, and friends never block (5.9, 7.1).
func (board *Board) Walk(number int, start, target string) int {
	if steps, ok := board.walks(number, start)[target]; ok {
		return steps
	}
	return -1
}

// Moves returns the empty hexes to which the unit on a hex can move now, rank by rank (5).
func (board *Board) Moves(number int, hex string) []string {
	unit, seen := board.Unit(number, hex), board.seen.Boards[number-1]
	if unit == nil || unit.Done() || unit.Side != board.seen.Side {
		return []string{}
	}
	if seen.Due || seen.Closed || seen.Resigned || seen.State == "reset+0" {
		return []string{}
	}
	walks := board.walks(number, hex)
	return filter(func(to string) bool {
		steps, ok := walks[to]
		return ok && steps <= unit.Figures.Speed && board.Unit(number, to) == nil
	})
}

func (board *Board) walks(number int, start string) map[string]int {
	found, unit := map[string]int{}, board.Unit(number, start)
	if unit == nil {
		return found
	}
	if unit.Figures.Has("Flying") {
		for _, hex := range filter(func(string) bool { return true }) {
			found[hex] = board.Distance(start, hex)
		}
		return found
	}
	found[start] = 0
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, hex := range board.Neighbours(queue[0]) {
			other := board.Unit(number, hex)
			enemy := other != nil && other.Side != unit.Side
			if _, ok := found[hex]; !ok && !enemy && board.Ground(number, hex) != "water" {
				found[hex] = found[queue[0]] + 1
				queue = append(queue, hex)
			}
		}
	}
	return found
}

// ---- what is where

// State is the state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1).
func (board *Board) State(number int) string { return board.seen.Boards[number-1].State }

// Unit returns the unit on a hex, or nil.
func (board *Board) Unit(number int, hex string) *Unit {
	if unit, ok := board.units[number-1][hex]; ok {
		return &unit
	}
	return nil
}

// Units returns the hexes with units of a side, rank by rank.
func (board *Board) Units(number int, side string) []string {
	return filter(func(hex string) bool { return board.units[number-1][hex].Side == side })
}

// Targets returns the hexes with enemies in range of the unit on a hex (6.2).
func (board *Board) Targets(number int, hex string) []string {
	unit := board.Unit(number, hex)
	return filter(func(there string) bool {
		enemy := board.Unit(number, there)
		fighting := unit != nil && enemy != nil && enemy.Side != unit.Side
		return fighting && board.Distance(hex, there) <= unit.Figures.Range
	})
}

// Spawns returns the hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8). Whether you have such a
// unit, and a spawn phase on this board, is another question.
func (board *Board) Spawns(number int, kind string) []string {
	return filter(func(hex string) bool {
		wet := board.Ground(number, hex) == "water" && !board.types[kind].Has("Flying")
		if wet || board.Unit(number, hex) != nil {
			return false
		}
		for _, near := range board.Neighbours(hex) {
			unit := board.units[number-1][near]
			if unit.Side == board.Seat && unit.Figures.Has("Spawn") && !unit.Fresh {
				return true
			}
		}
		return false
	})
}

// InZone is the number of units of a type, such as "Zombie", that wait in a side's zone (2.4).
func (board *Board) InZone(number int, side, kind string) int {
	return board.seen.Boards[number-1].Zones[side][kind]
}

// Money is what a side has in its purse (2.5).
func (board *Board) Money(side string) int { return board.seen.Money[side] }

// ---- orders

// MoveOrder moves one unit (5).
func MoveOrder(board int, start, target string) string {
	return fmt.Sprintf("%d move %s-%s", board, start, target)
}

// TickOrder moves several units at once, so that they can change places (5.10): start and target of each.
func TickOrder(board int, moves [][2]string) string {
	order := fmt.Sprintf("%d tick", board)
	for _, move := range moves {
		order += " " + move[0] + "-" + move[1]
	}
	return order
}

// AttackOrder lets the unit on one hex attack the one on another (6).
func AttackOrder(board int, start, target string) string {
	return fmt.Sprintf("%d attack %s-%s", board, start, target)
}

// BuyOrder buys a unit, named by its letter or its name (9.3).
func BuyOrder(board int, unit string) string { return fmt.Sprintf("%d buy %s", board, unit) }

// SpawnOrder spawns a unit of the zone (9.4).
func SpawnOrder(board int, unit, hex string) string {
	return fmt.Sprintf("%d spawn %s %s", board, unit, hex)
}

// ChooseOrder chooses a necromancer and the unit of the zone to keep (10.7, 10.10).
func ChooseOrder(board int, necromancer, keep string) string {
	return fmt.Sprintf("%d choose %s keep %s", board, necromancer, keep)
}

// ResignOrder gives up a board (13.1).
func ResignOrder(board int) string { return fmt.Sprintf("%d resign", board) }

// MarchOrder puts a spell under the first card where you have none (8.4).
func MarchOrder() string { return "march" }

// TechOrder puts a second spell under a card; places count from 1 (8.5).
func TechOrder(card int) string { return fmt.Sprintf("tech %d", card) }

// EndOrder ends the turn (4.8).
func EndOrder() string { return "end" }
