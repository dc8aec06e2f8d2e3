// A bot to begin with. It plays any game of Polemos: it chooses at random among what is lawful.
//
// The umpire writes one JSON object a line to our standard input; we answer with one JSON object a line on standard
// output. Whatever we write to standard error is our log.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

const (
	mostOrders = 40  // in one turn
	enough     = 0.1 // the chance to stop before each order
)

// fields is an object whose values stay as they came.
type fields map[string]json.RawMessage

// option is one lawful order; with least and most its number is free between them.
type option struct {
	Order fields `json:"order"`
	Least *int   `json:"least"`
	Most  *int   `json:"most"`
}

// fault is why an order was refused.
type fault struct {
	Why string `json:"why"`
}

// message holds what we read of all that the umpire says. Fields that are not named here are ignored.
type message struct {
	Type    string          `json:"type"`
	Seed    int64           `json:"seed"`
	Options []option        `json:"options"`
	Fault   *fault          `json:"fault"`
	View    json.RawMessage `json:"view"` // all that we may know; give it a type of your own to read it
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

// choose returns the order to give next, or nil to end the turn. This is the place to become clever.
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
	if chosen.Least != nil && chosen.Most != nil { // the order has a number that we may choose
		number := *chosen.Least + dice.Intn(*chosen.Most-*chosen.Least+1)
		chosen.Order["number"] = json.RawMessage(strconv.Itoa(number))
	}
	return chosen.Order
}

func main() {
	in := json.NewDecoder(os.Stdin)
	out := json.NewEncoder(os.Stdout) // writes each answer at once, with the end of its line
	dice := rand.New(new(source))
	given := 0 // orders in this turn
	for {
		var heard message
		if in.Decode(&heard) != nil {
			return // standard input has ended
		}
		switch heard.Type {
		case "hello": // once: who we are, and what never changes in this match
			dice.Seed(heard.Seed) // the same seed, the same game
			out.Encode(map[string]any{"type": "ready", "protocol": 1, "name": "starter", "options": true})
		case "view", "update":
			if heard.Type == "view" {
				given = 0 // a new turn
			}
			var order fields
			if heard.Fault != nil { // our last order was refused
				fmt.Fprintln(os.Stderr, "refused:", heard.Fault.Why)
			} else if given < mostOrders {
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
