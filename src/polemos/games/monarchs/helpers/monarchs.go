// Helpers for Monarchs: the map, distances, who is where, and orders. Needs nothing but Go.
//
//	board := NewBoard(heard.Setting, heard.Seat) // once, from hello
//	board.Update(heard.View)                     // each turn
//	for _, hex := range board.Armies(board.Seat) {
//		if near := board.Towards(hex, board.Centre); len(near) > 0 {
//			order := MarchOrder(hex, near[0], board.Regiments(hex))
//			out.Encode(map[string]any{"type": "order", "order": order})
//		}
//	}
//
// Build it together with the bot: go build -o bot bot.go monarchs.go. A hex is its name, such as "G5". Numbers in
// brackets are paragraphs of the rule book.
package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The hexes, row by row from the top (1.1).
var hexes = strings.Fields(`E9 G9 I9 K9 M9 D8 F8 H8 J8 L8 N8 C7 E7 G7 I7 K7 M7 O7 B6 D6 F6 H6 J6 L6 N6 P6
	A5 C5 E5 G5 I5 K5 M5 O5 Q5 B4 D4 F4 H4 J4 L4 N4 P4 C3 E3 G3 I3 K3 M3 O3 D2 F2 H2 J2 L2 N2 E1 G1 I1 K1 M1`)

// Board is the board as far as it is in sight.
type Board struct {
	Seat   string
	Centre string

	hexes map[string][]string // neighbours
	bases map[string]string
	seen  map[string]ground
}

type ground struct {
	Owner     string
	Regiments int
}

// NewBoard makes a board from the setting and the seat in hello.
func NewBoard(setting json.RawMessage, seat string) *Board {
	var read struct {
		Centre string
		Hexes  map[string][]string
		Bases  map[string]string
	}
	if err := json.Unmarshal(setting, &read); err != nil {
		panic(err)
	}
	return &Board{Seat: seat, Centre: read.Centre, hexes: read.Hexes, bases: read.Bases}
}

// Update reads the view of this turn.
func (board *Board) Update(view json.RawMessage) {
	var read struct{ Hexes map[string]ground }
	if err := json.Unmarshal(view, &read); err != nil {
		panic(err)
	}
	board.seen = read.Hexes
}

// ---- the map

// Hexes returns all 61 hexes, row by row from the top (1.1).
func (board *Board) Hexes() []string { return hexes }

// Neighbours returns the hexes next to this one, clockwise from the left (1.2).
func (board *Board) Neighbours(hex string) []string { return board.hexes[hex] }

// Base is the home base of a nation (1.3).
func (board *Board) Base(nation string) string { return board.bases[nation] }

// Distance is the number of steps between two hexes (1.2). Nothing is in the way of an army.
func (board *Board) Distance(a, b string) int {
	columns, rows := apart(a[0], b[0]), apart(a[1], b[1])
	if columns > rows {
		return rows + (columns-rows)/2
	}
	return rows
}

func apart(a, b byte) int {
	if a < b {
		return int(b - a)
	}
	return int(a - b)
}

// Towards returns the neighbours that are one step nearer to the target; none if you are there.
func (board *Board) Towards(start, target string) []string {
	found := []string{}
	for _, hex := range board.Neighbours(start) {
		if board.Distance(hex, target) < board.Distance(start, target) {
			found = append(found, hex)
		}
	}
	return found
}

// ---- what is where

// Seen says whether a hex is in sight (9.1).
func (board *Board) Seen(hex string) bool {
	_, ok := board.seen[hex]
	return ok
}

// Owner is the owner of a hex; "" if it is unclaimed or out of sight.
func (board *Board) Owner(hex string) string { return board.seen[hex].Owner }

// Regiments is the number of regiments on a hex, all of its owner; 0 if it is out of sight.
func (board *Board) Regiments(hex string) int { return board.seen[hex].Regiments }

// Land returns the hexes in sight that a nation owns.
func (board *Board) Land(nation string) []string {
	found := []string{}
	for _, hex := range hexes {
		if board.Owner(hex) == nation {
			found = append(found, hex)
		}
	}
	return found
}

// Armies returns the hexes in sight with regiments of a nation.
func (board *Board) Armies(nation string) []string {
	found := []string{}
	for _, hex := range board.Land(nation) {
		if board.Regiments(hex) > 0 {
			found = append(found, hex)
		}
	}
	return found
}

// ---- orders

// MarchOrder lets regiments go to a neighbouring hex (3.2).
func MarchOrder(start, target string, number int) string {
	return fmt.Sprintf("%s-%s %d", start, target, number)
}

// BlessOrder lets your army fight better on this hex, this turn (3.7).
func BlessOrder(hex string) string { return "bless " + hex }
