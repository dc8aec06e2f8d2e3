// For the drivers in Go: reads questions, writes answers as JSON. See helping.py.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// question is a name and its arguments.
type question []json.RawMessage

func (asked question) read(i int, into any) {
	if i < len(asked) {
		_ = json.Unmarshal(asked[i], into) // an argument of another kind stays empty
	}
}

func (asked question) text(i int) (found string) {
	asked.read(i, &found)
	return
}

func (asked question) number(i int) (found int) {
	asked.read(i, &found)
	return
}

func orNil(number int) any {
	if number < 0 {
		return nil
	}
	return number
}

func answerAll(answer func(board *Board, asked question) any) {
	var board *Board
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		if line[0] == '{' {
			var scene struct {
				Setting, View json.RawMessage
				Seat          string
			}
			if err := json.Unmarshal(line, &scene); err != nil {
				panic(err)
			}
			board = NewBoard(scene.Setting, scene.Seat)
			board.Update(scene.View)
			continue
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		said, err := json.Marshal(answer(board, asked))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(said))
	}
}
