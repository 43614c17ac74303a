// completion; and __complete, by which its scripts ask what to offer

#include "completion.hpp"

#include "cli/completion/completion.hpp"
#include "cli/completion/suggestions.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "storage/game_id.hpp"
#include "storage/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <memory>

namespace snl::cli {
namespace {

void print_script(std::string_view shell) {
  print(std::ranges::find(completion_scripts(), shell, &CompletionScript::name)->text);
}

// ---- The names that a store has to offer. Nothing here reports a fault of the store.

constexpr std::size_t most_games = 50;

std::string about_game(StoreReader& store, const std::string& id) {
  const auto match = RecordedGame::load(store, id);
  if (!match) return "";
  const GameState& game = match->state();
  return fmt::format("turn {}: {}", game.position.turn, fmt::join(game.setup->players, ", "));
}

/// The newest games; if none of those begins with the prefix, other games that do.
std::vector<Suggestion> recorded_games(StoreReader& store, const std::string& prefix) {
  auto ids = store.list({}, most_games);
  std::erase_if(ids, [&](const std::string& id) { return !id.starts_with(prefix); });
  if (ids.empty() && is_game_id(prefix)) ids = store.games_with_prefix(prefix, most_games);
  std::vector<Suggestion> games;
  for (const std::string& id : ids)
    if (is_game_id(id)) games.push_back({id, about_game(store, id)});
  return games;
}

std::vector<Suggestion> players_of(StoreReader& store, const std::string& id) {
  const auto match = RecordedGame::load(store, id);
  if (!match) return {};
  const GameState& game = match->state();
  std::vector<Suggestion> players;
  players.reserve(game.players());
  for (std::size_t seat = 0; seat < game.players(); ++seat)
    players.push_back({game.setup->players[seat],
                       !game.completed() && seat == game.position.next ? "to move" : ""});
  return players;
}

/// Each player once, those of the newest game first.
std::vector<Suggestion> players_of_newest_games(StoreReader& store) {
  std::vector<Suggestion> players;
  for (const std::string& id : store.list({}, most_games))
    for (const Suggestion& player : players_of(store, id))
      if (std::ranges::find(players, player.word, &Suggestion::word) == players.end())
        players.push_back({player.word, ""});
  return players;
}

/// The result of `ask` about the store on the line; nothing if it fails.
template <class Ask>
std::vector<Suggestion> asked(Session& session, const std::string& db, const Ask& ask) {
  try {
    session.db_option = db;
    StoreReader* store = session.store_to_read_if_any();
    return store == nullptr ? std::vector<Suggestion>{} : ask(*store);
  } catch (const std::exception&) {
    return {};
  }
}

RecordedNames names_in_store(Session& session) {
  return {.games =
              [&session](const std::string& db, const std::string& prefix) {
                return asked(session, db,
                             [&](StoreReader& store) { return recorded_games(store, prefix); });
              },
          .players =
              [&session](const std::string& db, const std::string& game) {
                return asked(session, db, [&](StoreReader& store) {
                  return game.empty() ? players_of_newest_games(store)
                                      : players_of(store, session.resolve(store, game));
                });
              }};
}

/// A shell reads one word per line, so a word with a line break can't be offered.
bool is_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

}  // namespace

void add_completion(CLI::App& app, Session& /*session*/) {
  auto* completion =
      app.add_subcommand("completion", "Print a script that lets a shell complete commands");
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "The shell")
      ->check(CLI::IsMember(names_in(completion_scripts())))
      ->required();
  completion->footer(
      R"(The script completes commands, options, their values, named boards and the IDs of games.
  bash  source <(snl completion bash)            in ~/.bashrc
  zsh   snl completion zsh > "${fpath[1]}/_snl"   then restart zsh
  fish  snl completion fish > ~/.config/fish/completions/snl.fish)");
  completion->callback([shell] { print_script(*shell); });
}

void complete(const CLI::App& app, Session& session, std::span<const std::string> words) {
  const Suggestions suggestions = suggestions_for(app, words, names_in_store(session));
  for (const auto& [word, about] : suggestions.words)
    if (is_one_line(word))
      print_line(is_one_line(about) && !about.empty() ? fmt::format("{}\t{}", word, about) : word);
  print_line(suggestions.files ? ":files" : ":");
  flush();
}

}  // namespace snl::cli
