// Answers questions with the helper for Minions in Go.
package main

func answer(board *Board, asked question) any {
	at, hex, to := asked.number(1), asked.text(2), asked.text(3)
	switch name := asked.text(0); name {
	case "ground":
		return board.Ground(at, hex)
	case "graveyards":
		return board.Graveyards(at)
	case "neighbours":
		return board.Neighbours(asked.text(1))
	case "distance":
		return board.Distance(asked.text(1), hex)
	case "walk":
		return orNil(board.Walk(at, hex, to))
	case "moves":
		return board.Moves(at, hex)
	case "unit":
		if unit := board.Unit(at, hex); unit != nil {
			figures := unit.Figures
			return []any{unit.Side, unit.Type, unit.Letter, unit.Damage, figures.Speed, figures.Range,
				figures.Has("Flying"), figures.Has("Spawn"), unit.Fresh, unit.Done()}
		}
		return nil
	case "state":
		return board.State(at)
	case "units":
		return board.Units(at, hex)
	case "targets":
		return board.Targets(at, hex)
	case "spawns":
		return board.Spawns(at, hex)
	case "in_zone":
		return board.InZone(at, hex, to)
	case "money":
		return board.Money(asked.text(1))
	case "move_order":
		return MoveOrder(at, hex, to)
	case "tick_order":
		var moves [][2]string
		asked.read(2, &moves)
		return TickOrder(at, moves)
	case "attack_order":
		return AttackOrder(at, hex, to)
	case "buy_order":
		return BuyOrder(at, hex)
	case "spawn_order":
		return SpawnOrder(at, hex, to)
	case "choose_order":
		return ChooseOrder(at, hex, to)
	case "resign_order":
		return ResignOrder(at)
	case "march_order":
		return MarchOrder()
	case "tech_order":
		return TechOrder(at)
	case "end_order":
		return EndOrder()
	default:
		panic(name)
	}
}

func main() { answerAll(answer) }
