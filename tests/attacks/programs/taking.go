// Takes as many megabytes as it is told to, and says so. Go's runtime reserves much more address space than that.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	number, _ := strconv.Atoi(os.Args[1])
	taken := make([][]byte, number)
	for i := range taken {
		taken[i] = make([]byte, 1<<20)
		for at := 0; at < len(taken[i]); at += 4096 {
			taken[i][at] = 1
		}
	}
	fmt.Println("taken", len(taken))
	fmt.Scanln()
}
