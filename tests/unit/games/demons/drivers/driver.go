// Answers questions with the helper for Demons in Go.
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
	at, word := asked.tile(1), asked.text(1)
	switch name := asked.text(0); name {
	case "ground":
		return board.Ground(at)
	case "neighbours":
		found := map[Compass][2]int{}
		for _, way := range board.Neighbours(at) {
			found[way] = [2]int{at.Beside(way).X, at.Beside(way).Y}
		}
		return found
	case "distance":
		return board.Distance(at, asked.tile(2))
	case "reaches":
		return board.Reaches(Kind(word), asked.tile(2), asked.tile(3))
	case "lane":
		return orNil(board.Lane(at))
	case "lane_steps":
		return orNil(board.LaneSteps(at, asked.text(2)))
	case "tower":
		if found := board.Tower(at); found != nil {
			return []any{found.Kind, found.Owner, found.Cooldown}
		}
		return nil
	case "unit":
		if found := board.Unit(at); found != nil {
			return []any{found.Kind, found.Side, found.Health, found.Damage}
		}
		return nil
	case "towers":
		return pairs(board.Towers(word))
	case "mercenaries":
		return pairs(board.Mercenaries(word))
	case "demons":
		return pairs(board.Demons(word))
	case "sites":
		return pairs(board.Sites())
	case "exits":
		return board.Exits()
	case "gold":
		return board.Gold
	case "price":
		return board.Price(Kind(word))
	case "build_order":
		return BuildOrder(Kind(word), asked.tile(2))
	case "destroy_order":
		return DestroyOrder(at)
	case "hire_order":
		return HireOrder(Compass(word))
	case "provoke_order":
		return ProvokeOrder()
	default:
		panic(name)
	}
}

func main() { answerAll(answer) }
