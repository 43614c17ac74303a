#include "examples.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace snl::cli {
namespace {

constexpr std::array all_examples{
    Example{"", "snl new Ann Bob --board class", "start a game"},
    Example{"", "snl roll @", "roll the dice for the next player of the newest game"},
    Example{"", "snl show @", "see the board"},
    Example{"", "snl replay @", "watch the game again"},
    Example{"", "snl audit @", "prove that nobody changed it"},

    Example{"new", "snl new Ann Bob", "A game of two, on the default board, milton-bradley."},
    Example{"new", "snl new Ann Bob Cid --board class --seed 42 --id friday",
            "A named board, which brings its rules; a seed, for the same dice again; an ID of your "
            "choice."},
    Example{"new", "snl new Ann Bob --size 8 --snake 40,7 --ladder 3,22", "A board of your own."},
    Example{"show", "snl show @", "The newest game as it stands."},
    Example{"show", "snl show final --at 3", "As it was after turn 3."},
    Example{"list", "snl list --status in-progress", "The games still in progress."},
    Example{"list", "snl list --player Ann --limit 5 --json", "For a program: one line per game."},
    Example{"branch", "snl branch final --at 3 --id what-if", "Go on from turn 3, in a new game."},
    Example{"play", "snl play final Ann 6-3", "Ann threw a six, and then a three."},
    Example{"play", "snl play final - < turns.txt",
            "Turns from a file, one per line, such as: Bob 4"},
    Example{"play", "snl play @", "A table to play at, on a terminal."},
    Example{"roll", "snl roll @", "One turn of the player to move."},
    Example{"roll", "snl roll final --all", "To the end of the game."},
    Example{"undo", "snl undo final", "Take back the last turn."},
    Example{"undo", "snl undo final --to 2", "Take back all turns after turn 2."},
    Example{"redo", "snl redo final", "Put the last undone turn back in force."},
    Example{"replay", "snl replay final",
            "Full-screen on a terminal, elsewhere one line per turn."},
    Example{"replay", "snl replay final --undone --from 3",
            "With the turns that were taken back, from turn 3 on."},
    Example{"watch", "snl watch cup", "Until somebody has won."},
    Example{"log", "snl log final", "A game's commands, one after another."},
    Example{"log", "snl log --json", "The commands of all games, for a program."},
    Example{"analyze", "snl analyze final", "Each player's luck, and when the game was decided."},
    Example{"audit", "snl audit final", "Prove one game."},
    Example{"audit", "snl audit --all --expect \"$(cat head.txt)\"",
            "Prove all games, against a head of the store kept elsewhere."},
    Example{"audit", "snl audit --checkpoint kept.checkpoint --policy club.policy",
            "Compare the store with a signed checkpoint kept elsewhere."},
    Example{"key new", "snl key new club.example/log club.key",
            "A key to sign the store's log with."},
    Example{"key show", "snl key show club.key", "Its public part, for a policy."},
    Example{"checkpoint", "snl checkpoint --log-key club.key", "Sign what was recorded."},
    Example{"checkpoint", "snl checkpoint > kept.checkpoint",
            "Keep the last published checkpoint."},
    Example{"prove", "snl prove final -o final.tlog-proof", "Prove that the game is in the log."},
    Example{"prove", "snl prove --since kept.checkpoint --policy club.policy",
            "Prove that the log goes on from a kept checkpoint."},
    Example{"witness", "snl witness --key witness.key --policy club.policy --state witnessed",
            "Cosign a club's log, and remember its size."},
    Example{"verify", "snl verify final.jsonl final.tlog-proof --policy club.policy",
            "With these three files alone."},
    Example{"verify", "snl verify final.html --policy club.policy",
            "A page that was exported from a log has its proof inside."},
    Example{"export", "snl export final -f html -o final.html", "A page for anybody's browser."},
    Example{"export", "snl export final > final.jsonl", "The whole log, as import reads it."},
    Example{"export", "snl export final -f svg --at 3 -o final.svg", "A picture of turn 3."},
    Example{"export", "snl export --all -f csv --chances > turns.csv",
            "All turns of all games in one table, with the chances."},
    Example{"import", "snl import cup.jsonl", "Record what another store exported."},
    Example{"import", "snl import cup.jsonl --dry-run", "Prove it, and record nothing."},
    Example{"tournament", "snl tournament Ann Bob Cid --rounds 2 --board class",
            "Every pair meets twice."},
    Example{"board list", "snl board list", "The boards that can be named."},
    Example{"board show", "snl board show class", "One of them, drawn."},
    Example{"board show", "snl board show class --svg -o class.svg",
            "A page for a wall, to print."},
    Example{"board check", "snl board check club.json", "Every fault of a file at once."},
    Example{"board analyze", "snl board analyze milton-bradley --players 3",
            "How long a game of three takes, and who wins."},
    Example{"board analyze", "snl board analyze class milton-bradley --csv",
            "Two boards side by side, for a spreadsheet."},
    Example{"board analyze", "snl board analyze milton-bradley --exact",
            "The expected turns as a fraction, too."},
    Example{"board convert", "snl board convert club.json --to matrix",
            "In the form that LeetCode uses."},
    Example{"board random", "snl board random --size 8 --seed 7 > random.json",
            "A board of 64 cells in a file."},
    Example{"board solve", "snl board solve milton-bradley", "The fewest throws to its end."},
    Example{"board solve", "snl board solve - --json < club.json",
            "With the throws, for a program."},
    Example{"simulate", "snl simulate --board milton-bradley --games 100000 --seed 42",
            "A hundred thousand games, with the same result every time."},
    Example{"serve", "snl serve", "For browsers on this machine: http://127.0.0.1:8080"},
    Example{"serve", "snl serve --listen 0.0.0.0:8080", "For a class in one room."},
    Example{"db info", "snl db info", "Where the games are, and how many."},
    Example{"db migrate", "snl db migrate", "After an upgrade of snl."},
    Example{"db backup", "snl db backup games.db", "Into a file, while people play."},
    Example{"db restore", "snl db restore backup.db --force",
            "The games of the copy, and no others."},
    Example{"db copy", "snl db copy snl.db copy.db",
            "Every game into another store, a file or a database."},
    Example{"db check", "snl db check", "Whether the disk has harmed the file."},
    Example{"db compact", "snl db compact",
            "After an upgrade of a large store, which leaves unused pages."},
    Example{"completion", "source <(snl completion bash)", "In this bash, from now on."},
    Example{"help", "snl help board solve", "The help of a command of two words."},
    Example{"help", "snl help teach", "A lesson for a class."},
};

}  // namespace

std::vector<Example> examples_of(std::string_view command) {
  std::vector<Example> examples;
  std::ranges::copy_if(all_examples, std::back_inserter(examples),
                       [&](const Example& example) { return example.command == command; });
  return examples;
}

}  // namespace snl::cli
