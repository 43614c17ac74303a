"""A game with powers, captures and faces that enter, as plainly as its rules can be written down.

It shares nothing with snl: it is written from the words of the rules alone. `snl play --json` and `snl
replay` must print the same about a turn, to the character.
"""

POWERS = ("again", "skip", "restart", "shield", "swap")
WITH_NUMBER = ("skip", "shield")


class PowerGame:
    """`powers` is {cell: (name, n or None)}, `jumps` {from: to}."""

    def __init__(self, players, cells, jumps, powers, start, finish, dice, faces, sixes, enter, meet, safe):
        self.players, self.cells, self.jumps, self.powers = players, cells, jumps, powers
        self.start, self.finish, self.dice, self.faces, self.sixes = start, finish, dice, faces, sixes
        self.enter, self.meet, self.safe = enter, meet, safe
        self.at = [start] * len(players)
        self.shields = [0] * len(players)
        self.skips = [0] * len(players)
        self.next = 0
        self.turn = 0
        self.winner = None

    # ---- A turn, step by step

    def play(self, dice):
        """The turn of the player to move: its JSON, and its line."""
        mover = self.next
        self.turn += 1
        self.told = []  # the parts of the line
        self.steps, self.others, self.power = [], [], None
        came_from = landed = self.at[mover]
        outcome, again = "moved", False
        # 1
        if self.sixes == "again" and dice == [6, 6, 6]:
            outcome = "forfeited"
            self.told.append("three sixes, stays")
        elif came_from == 0 and self.enter and not set(dice) & set(self.enter):
            outcome = "waiting"
            self.told.append("can't enter, stays")
        else:
            landed = self.landing(came_from, sum(dice))
            if landed is None:
                landed, outcome = came_from, "blocked"
                self.told.append("overshoots, stays")
        jump = None
        if outcome == "moved":
            jump = self.land(mover, landed)  # 2
            if self.at[mover] == self.cells:  # 3
                outcome = "won"
                self.winner = mover
                self.told.append("wins")
            else:
                self.capture(mover)  # 4
                again = self.act(mover)  # 5
        has_six = self.sixes == "each" and dice == [6]
        missed = [] if outcome == "won" else self.pass_on(mover, again or has_six)  # 6
        if has_six and not again and not missed and outcome != "won":
            self.told.append("has another turn")
        record = {
            "turn": self.turn, "player": self.players[mover], "dice": dice, "rolled": False,
            "from": came_from, "landed": landed, "to": self.at[mover], "jump": jump,
            "outcome": outcome, "next": None if outcome == "won" else self.players[self.next],
            "power": self.power, "steps": self.steps, "others": self.others,
            "missed": [self.players[seat] for seat in missed],
        }
        line = f"{self.turn}. {self.players[mover]} rolls {'-'.join(map(str, dice))}: {came_from} → {self.at[mover]}"
        line += "".join(f", {part}" for part in self.told)
        line += "".join(f"; {self.players[seat]} misses a turn" for seat in missed)
        return record, line

    def landing(self, cell, distance):
        """Step by step, turning at both ends where pieces bounce; None where it overshoots and stays."""
        if cell + distance > self.cells and self.finish == "exact":
            return None
        if cell + distance > self.cells and self.finish == "overshoot":
            return self.cells
        direction, bounced = 1, False
        for _ in range(distance):
            if cell == self.cells:
                direction, bounced = -1, True
            elif cell == 1:
                direction = 1
            cell += direction
        if bounced and cell != self.cells:
            self.told.append(f"bounces back to {cell}")
        return cell

    def land(self, mover, landed):
        self.put(mover, landed, "dice")
        to = self.jumps.get(landed)
        if to is None:
            return None
        if to > landed:
            self.told.append(f"up the ladder {landed} → {to}")
            self.put(mover, to, "ladder")
            return "ladder"
        if self.shields[mover] > 0:
            self.shields[mover] -= 1
            self.told.append(f"a shield stops the snake on {landed}")
            self.steps.append({"why": "shield", "to": landed})
            return None
        self.told.append(f"down the snake {landed} → {to}")
        self.put(mover, to, "snake")
        return "snake"

    def put(self, mover, cell, why):
        self.at[mover] = cell
        self.steps.append({"why": why, "to": cell})

    def others_in_turn_order(self, mover):
        count = len(self.players)
        return [(mover + away) % count for away in range(1, count)]

    def capture(self, mover):
        cell = self.at[mover]
        if self.meet != "capture" or cell == 1 or cell in self.safe:
            return
        for seat in self.others_in_turn_order(mover):
            if self.at[seat] == cell:
                self.at[seat] = self.start
                self.tell_other(seat, "captured", cell, self.start)
                self.told.append(f"sends {self.players[seat]} back {cell} → {self.start}")

    def tell_other(self, seat, why, came_from, to):
        self.others.append({"player": self.players[seat], "why": why, "from": came_from, "to": to})

    def act(self, mover):
        """True if the same player moves again."""
        cell = self.at[mover]
        self.power, n = self.powers.get(cell, (None, None))
        if self.power == "again":
            self.told.append("moves again")
            return True
        if self.power == "skip":
            self.skips[mover] = n
            self.told.append(f"misses {n} turn{'' if n == 1 else 's'}")
        if self.power == "restart":
            self.put(mover, self.start, "restart")
            self.told.append(f"back to the start {cell} → {self.start}")
        if self.power == "shield":
            self.shields[mover] = count = max(n, self.shields[mover])
            self.told.append(f"now has {count} shield{'' if count == 1 else 's'}")
        if self.power == "swap":
            ahead = [seat for seat in self.others_in_turn_order(mover) if self.at[seat] > cell]
            if not ahead:
                self.told.append("nobody ahead to swap with")
            else:
                other = min(ahead, key=lambda seat: self.at[seat])  # the first of several
                there = self.at[other]
                self.at[other] = cell
                self.put(mover, there, "swap")
                self.tell_other(other, "swapped", there, cell)
                self.told.append(f"changes places with {self.players[other]} {cell} → {there}")
        return False

    def pass_on(self, mover, again):
        missed = []
        self.next = mover if again else (mover + 1) % len(self.players)
        while self.skips[self.next]:
            self.skips[self.next] -= 1
            missed.append(self.next)
            self.next = (self.next + 1) % len(self.players)
        return missed

    def standing(self):
        """The players as `snl show --json` has them."""
        return [
            {"name": name, "cell": cell, "shields": shields, "skips": skips}
            for name, cell, shields, skips in zip(self.players, self.at, self.shields, self.skips)
        ]

    # ---- As options of `snl new`

    def options(self):
        options = ["--cells", self.cells, "--start", self.start, "--finish", self.finish]
        options += ["--dice", self.dice, "--faces", self.faces, "--sixes", self.sixes, "--meet", self.meet]
        for came_from, to in self.jumps.items():
            options += ["--snake" if to < came_from else "--ladder", f"{came_from},{to}"]
        for cell, (name, n) in self.powers.items():
            options += ["--power", f"{cell},{name}" if n is None else f"{cell},{name},{n}"]
        if self.enter:
            options += ["--enter", ",".join(map(str, self.enter))]
        if self.safe:
            options += ["--safe", ",".join(map(str, self.safe))]
        return options


def any_dice(game, chance):
    """A complete roll."""
    if game.sixes != "again":
        return [chance.randint(1, game.faces) for _ in range(game.dice)]
    dice = [chance.randint(1, 6)]
    while dice[-1] == 6 and len(dice) < 3:
        dice.append(chance.randint(1, 6))
    return dice


def any_game(chance):
    """A game whose pieces meet often: few cells, many powers."""
    cells = chance.choice((8, 12, 20, 30, 50))
    spots = list(range(1, cells))
    chance.shuffle(spots)
    jumps, powers = {}, {}
    for _ in range(chance.randint(0, cells // 5)):
        came_from = spots.pop()
        jumps[came_from] = chance.choice([cell for cell in range(1, cells + 1) if cell != came_from])
    for _ in range(chance.randint(1, cells // 2)):
        name = chance.choice(POWERS)
        powers[spots.pop()] = (name, chance.randint(1, 3) if name in WITH_NUMBER else None)
    start = chance.randint(0, 1)
    sixes = chance.choice(("again", "again", "each", "plain", "plain"))
    one_die = sixes != "plain"
    faces = 6 if one_die else chance.choice((2, 6, 6, 10))
    meet = chance.choice(("share", "capture"))
    return PowerGame(
        players=["Ann", "Bob", "Cy", "Di", "Eve"][:chance.randint(2, 5)],
        cells=cells, jumps=jumps, powers=powers, start=start,
        finish=chance.choice(("exact", "overshoot", "bounce")),
        dice=1 if one_die else chance.randint(1, 2), faces=faces, sixes=sixes,
        enter=sorted(chance.sample(range(1, faces + 1), chance.randint(0, 2))) if start == 0 else [],
        meet=meet,
        safe=sorted(chance.sample(range(2, cells), 2)) if meet == "capture" and chance.random() < 0.5 else [],
    )
