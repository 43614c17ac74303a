#include "redaction.hpp"

#include "game_view.hpp"
#include "storage/codec.hpp"
#include "storage/draw.hpp"
#include "storage/exchange/jsonl.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

namespace {

json::value hex_or_null(const std::optional<Hash>& bytes) {
  return bytes ? json::value(to_hex(*bytes)) : json::value(nullptr);
}

/// Entropy is shown once all of it is in.
json::array entropy_of(const HostedGame& hosted) {
  json::array entropy;
  const bool all_is_in =
      hosted.stage == HostedGameStage::settled || hosted.stage == HostedGameStage::started;
  for (const auto& seat : hosted.seats)
    if (seat) entropy.push_back(hex_or_null(all_is_in ? seat->entropy : std::nullopt));
  return entropy;
}

json::value draw_of(const Draw& draw, std::uint64_t seed, const std::optional<RevealPermit>& out) {
  json::array entropy;
  for (const auto& bytes : draw.entropy)
    entropy.push_back(hex_or_null(bytes));
  json::object object{{"commitment", to_hex(draw.commitment)},
                      {"entropy", std::move(entropy)},
                      {"secret", nullptr},
                      {"seed", nullptr}};
  if (out) {
    object["secret"] = to_hex(Secret(draw.secret).to_show(*out));
    object["seed"] = std::to_string(seed);
  }
  return object;
}

/// The place of the seed among the fields of a type; a draw comes after it. All schema versions of
/// a type agree in that.
struct SecretFields {
  std::string_view type;
  std::size_t seed;
};
constexpr std::array secret_fields{SecretFields{"start", 4}, SecretFields{"started", 5}};

/// Takes the secret out of a draw: [commitment,secret,[entropy,…]].
void redact_draw(json::value& field) {
  constexpr std::size_t parts = 3;
  auto* list = field.if_array();
  if (list != nullptr && list->size() == parts && (*list)[0].is_string() && (*list)[1].is_string())
    (*list)[1] = nullptr;
}

void redact_body(json::value& body) {
  for (const auto& [type, seed] : secret_fields) {
    json::value* fields = body.as_object().if_contains(type);
    if (fields == nullptr) continue;
    json::array& list = fields->as_array();
    list.at(seed) = nullptr;
    // Any later field may be a draw. An origin isn't: it is null, or begins with an ID and a
    // number.
    for (std::size_t field = seed + 1; field < list.size(); ++field)
      redact_draw(list[field]);
  }
}

std::string redacted(const std::string& line) {
  json::value commit = json::parse(line);
  json::object& members = commit.as_object();
  redact_body(members["command"]);
  for (json::value& event : members["events"].as_array())
    redact_body(event);
  members["redacted"] = true;
  return json::serialize(commit);
}

}  // namespace

json::value draw_json(const GameView& view) {
  if (view.game) {
    const GameSetup& setup = *view.game->state().setup;
    return setup.draw ? draw_of(*setup.draw, setup.seed, view.reveal_permit) : json::value(nullptr);
  }
  const auto& hosted = view.hosted;
  if (!hosted || hosted->dice == HostedGame::Dice::own || !hosted->secret) return nullptr;
  json::object object{{"commitment", to_hex(commitment_of(hosted->secret->to_draw_with()))},
                      {"entropy", entropy_of(*hosted)},
                      {"secret", nullptr},
                      {"seed", nullptr}};
  // A game that was given up before its seed was made has none.
  if (view.reveal_permit) object["secret"] = to_hex(hosted->secret->to_show(*view.reveal_permit));
  return object;
}

std::string commit_line(const CommitView& commit, const std::optional<RevealPermit>& out) {
  const std::string line = export_line(commit);
  return commit.version == 1 && !out ? redacted(line) : line;
}

// ---- Games that were won

namespace {

bool wins(const Event& event) {
  const auto* played = std::get_if<TurnPlayed>(&event);
  return played != nullptr && played->outcome == Outcome::won;
}

}  // namespace

bool was_ever_won(StoreReader& store, const RecordedGame& game, const GameView* before) {
  const GameState& state = game.state();
  if (state.completed()) return true;
  // As many commits as turns: none was ever taken back.
  if (state.version - 1 == state.undoable()) return false;
  // If the store was restored since, its log may be older.
  const bool is_known = before != nullptr && before->version() <= state.version;
  if (is_known && before->was_won) return true;
  const Version next = is_known ? before->version() + 1 : 1;
  bool was_won = false;
  if (next > state.version) return false;
  for_each_commit(store, game.id(), next, [&](const CommitView& commit) {
    // Few commits win, and the text of most shows that they don't.
    if (commit.events.find("\"won\"") != std::string_view::npos)
      was_won = std::ranges::any_of(events_of(commit), wins);
    return !was_won && commit.version < game.head().version;
  });
  return was_won;
}

namespace {

/// A branch has the seed of the game that it left, which may itself be a branch.
bool origins_have_ended(const RecordedGame& game, StoreReader& store,
                        HostedGameStore& hosted_games) {
  // Branches of branches of …: more than anybody makes, so that a forged ring ends the search.
  constexpr int farthest = 100;
  auto origin = game.state().setup->origin;
  for (int far = 0; origin; ++far) {
    if (far == farthest) return false;
    const auto hosted = hosted_games.game(origin->game);
    const auto left = RecordedGame::load(store, origin->game);
    if (!left) return true;  // the branch was imported without it
    if (!(hosted && hosted->given_up) && !was_ever_won(store, *left, nullptr)) return false;
    origin = left->state().setup->origin;
  }
  return true;
}

}  // namespace

std::optional<RevealPermit> reveal_permit_of(const GameView& view, StoreReader& store,
                                             HostedGameStore& hosted_games) {
  if (!view.has_ended()) return std::nullopt;
  if (view.game && !origins_have_ended(*view.game, store, hosted_games)) return std::nullopt;
  return RevealPermit();
}

}  // namespace snl::cli
