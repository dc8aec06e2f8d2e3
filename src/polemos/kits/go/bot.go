// A starter bot. It plays every game in Polemos by choosing legal orders at random.
//
// The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
// standard output. Anything we write to standard error goes to our log.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

const (
	maxOrders = 40  // in one turn
	enough    = 0.1 // the chance to stop before each order
)

// fields is an object whose values are kept unparsed.
type fields map[string]json.RawMessage

// option is a legal order; if it has least and most, you can choose its number between them.
type option struct {
	Order fields `json:"order"`
	Least *int   `json:"least"`
	Most  *int   `json:"most"`
}

// fault says why an order was refused.
type fault struct {
	Why string `json:"why"`
}

// message holds the fields that we read from the umpire's messages. All other fields are ignored.
type message struct {
	Type    string          `json:"type"`
	Seed    int64           `json:"seed"`
	Seat    string          `json:"seat"`
	Setting json.RawMessage `json:"setting"` // everything that never changes in this match
	Options []option        `json:"options"`
	Fault   *fault          `json:"fault"`
	View    json.RawMessage `json:"view"` // everything we can see
}

// source gives random numbers ("splitmix64"). That of math/rand keeps only 31 bits of a seed.
type source uint64

func (s *source) Seed(seed int64) { *s = source(seed) }

func (s *source) Int63() int64 {
	*s += 0x9e3779b97f4a7c15
	mixed := uint64(*s)
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	return int64((mixed ^ mixed>>31) >> 1)
}

// choose returns the order to give next, or nil to end the turn. This is where to add your strategy.
func choose(options []option, dice *rand.Rand) fields {
	var wanted []option
	for _, offer := range options {
		if string(offer.Order["order"]) != `"resign"` {
			wanted = append(wanted, offer)
		}
	}
	if len(wanted) == 0 || dice.Float64() < enough {
		return nil
	}
	chosen := wanted[dice.Intn(len(wanted))]
	if chosen.Least != nil && chosen.Most != nil { // we can choose the order's number
		number := *chosen.Least + dice.Intn(*chosen.Most-*chosen.Least+1)
		chosen.Order["number"] = json.RawMessage(strconv.Itoa(number))
	}
	return chosen.Order
}

func main() {
	in := json.NewDecoder(os.Stdin)
	out := json.NewEncoder(os.Stdout) // writes each answer at once, with a newline
	dice := rand.New(new(source))
	given := 0 // orders in this turn
	for {
		var heard message
		if in.Decode(&heard) != nil {
			return // standard input has ended
		}
		switch heard.Type {
		case "hello": // once: our seat, and everything that never changes in this match
			dice.Seed(heard.Seed) // the same seed gives the same game
			out.Encode(map[string]any{"type": "ready", "protocol": 1, "name": "__NAME__", "options": true})
		case "view", "update":
			if heard.Type == "view" {
				given = 0 // a new turn
			}
			var order fields
			if heard.Fault != nil { // our last order was refused
				fmt.Fprintln(os.Stderr, "refused:", heard.Fault.Why)
			} else if given < maxOrders {
				order = choose(heard.Options, dice)
			}
			if order == nil {
				out.Encode(map[string]any{"type": "end"})
			} else {
				given++
				out.Encode(map[string]any{"type": "order", "order": order})
			}
		case "result":
			return
		}
	}
}
