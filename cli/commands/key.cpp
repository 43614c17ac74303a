// key new, key show

#include "cli/session/failure.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "storage/transparency/key_file.hpp"

#include <fmt/format.h>

#include <string>

namespace snl::cli {
namespace {

struct NewKey {
  std::string name;
  std::string file;
  bool is_witness = false;

  void run(Session& /*session*/) const {
    using transparency::KeyType;
    if (!transparency::is_key_name(name))
      throw Failure(
          Exit::usage,
          fmt::format("\"{}\" can't be a key's name; give 1 to 200 of A-Z a-z 0-9 . - _ / :, "
                      "such as play.example.org/log",
                      name));
    if (file == "-") throw Failure(Exit::usage, "-: a key is kept in a file; name one");
    const auto key =
        transparency::make_key_file(file, name, is_witness ? KeyType::witness : KeyType::log);
    note_done(fmt::format("the key {} is made", file), snl_command({"key", "show", file}));
    print_line(key.text());
  }
};

struct ShownKey {
  std::string file;

  void run(Session& /*session*/) const { print_line(transparency::read_verifier(file).text()); }
};

}  // namespace

void add_key(CLI::App& app, Session& session) {
  auto* key = app.add_subcommand("key", "Make and show the keys that sign a store's log");
  key->require_subcommand(1);

  auto [make, made] =
      add_command<NewKey>(*key, session, "new", "Make a key, and print its public part (a vkey)");
  make.add_option("NAME", made.name,
                  "The key's name; for a log, its address, such as play.example.org/log")
      ->required();
  make.add_option("FILE", made.file,
                  "The file for the key; a record of what it signed is kept beside it")
      ->required();
  make.add_flag("--witness", made.is_witness, "Make a witness's key, which cosigns other logs");

  auto [show, shown] =
      add_command<ShownKey>(*key, session, "show", "Print a key's public part (a vkey)");
  show.add_option("FILE", shown.file, "The key")->required();
}

}  // namespace snl::cli
