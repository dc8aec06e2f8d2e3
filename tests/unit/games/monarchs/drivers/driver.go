// Answers questions with the helper for Monarchs in Go.
package main

func answer(board *Board, asked question) any {
	at, to := asked.text(1), asked.text(2)
	switch name := asked.text(0); name {
	case "hexes":
		return board.Hexes()
	case "neighbours":
		return board.Neighbours(at)
	case "base":
		return board.Base(at)
	case "centre":
		return board.Centre
	case "distance":
		return board.Distance(at, to)
	case "towards":
		return board.Towards(at, to)
	case "seen":
		return board.Seen(at)
	case "owner":
		if owner := board.Owner(at); owner != "" {
			return owner
		}
		return nil
	case "regiments":
		return board.Regiments(at)
	case "land":
		return board.Land(at)
	case "armies":
		return board.Armies(at)
	case "march_order":
		return MarchOrder(at, to, asked.number(3))
	case "bless_order":
		return BlessOrder(at)
	default:
		panic(name)
	}
}

func main() { answerAll(answer) }
