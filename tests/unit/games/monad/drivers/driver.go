// Answers questions with the helper for Monad in Go.
package main

func (asked question) tile(i int) Tile {
	var pair [2]int
	asked.read(i, &pair)
	return Tile{pair[0], pair[1]}
}

func pairs(tiles []Tile) [][2]int {
	found := [][2]int{}
	for _, tile := range tiles {
		found = append(found, [2]int{tile.X, tile.Y})
	}
	return found
}

func answer(board *Board, asked question) any {
	at, to, way := asked.tile(1), asked.tile(2), Direction(asked.text(2))
	switch name := asked.text(0); name {
	case "blocked":
		return board.Blocked(at)
	case "neighbours":
		found := map[Direction][2]int{}
		for _, way := range board.Neighbours(at) {
			found[way] = [2]int{at.Beside(way).X, at.Beside(way).Y}
		}
		return found
	case "distance":
		return orNil(board.Distance(at, to))
	case "towards":
		return board.Towards(at, to)
	case "owner":
		if owner := board.Owner(at); owner != "" {
			return owner
		}
		return nil
	case "units":
		return board.Units(at)
	case "ore":
		return board.Ore(at)
	case "stacks":
		return pairs(board.Stacks(asked.text(1)))
	case "building":
		if found := board.Building(at); found != nil {
			return []any{found.Owner, found.Direction, found.Points}
		}
		return nil
	case "cores":
		return pairs(board.Cores(asked.text(1)))
	case "covered":
		return board.Covered(at)
	case "sites":
		return board.Sites(at)
	case "stock":
		return board.Stock
	case "move_order":
		return MoveOrder(at, way, asked.number(3))
	case "build_order":
		return BuildOrder(at, way, asked.number(3))
	case "work_order":
		return WorkOrder(at, asked.number(2))
	case "mine_order":
		return MineOrder(at, asked.number(2))
	default:
		panic(name)
	}
}

func main() { answerAll(answer) }
