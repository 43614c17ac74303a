#include "hosted_game_codec.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

constexpr std::int64_t first_form = 1;
/// Adds pace, automatic seats, repeated draws and rematches: see storage/format.md.
constexpr std::int64_t this_form = 2;

// ---- The members of a document: each once, for the writer and the reader

template <class Value, class Type>
concept is = std::same_as<std::remove_const_t<Value>, Type>;

/// A text that is JSON itself.
template <class Text>
struct JsonText {
  Text& text;
};

template <class Members, is<HostedGame> Game>
void list_members(Members& members, Game& game) {
  members("created", game.created)("stage", game.stage)("visibility", game.visibility);
  members("given_up", game.given_up)("host_token", game.host_token)("request", game.request);
  members("dice", game.dice)("takebacks", game.takebacks)("board", JsonText{game.board});
  members("rules", game.rules)("seats", game.seats)("secret", game.secret);
  members("question", game.question);
  if (members.form() == first_form) return;
  members("pace", game.pace)("other_host", game.other_host)("drawing_since", game.drawing_since);
  members("redraws", game.redraws)("given_up_seats", game.given_up_seats);
  members("rematch", game.rematch);
}

template <class Members, is<Rules> Game>
void list_members(Members& members, Game& rules) {
  members("start", rules.start)("finish", rules.finish)("dice", rules.dice)("faces", rules.faces);
  members("sixes", rules.sixes)("enter", rules.enter)("meet", rules.meet)("safe", rules.safe);
}

template <class Members, is<HostedGameSeat> Seat>
void list_members(Members& members, Seat& seat) {
  members("name", seat.name)("token", seat.token)("tokens", seat.tokens);
  members("entropy_hash", seat.entropy_hash)("entropy", seat.entropy);
  if (members.form() == first_form) return;
  members("auto", seat.automatic)("reserved", seat.reserved)("back_at", seat.back_at);
}

template <class Members, is<TakebackQuestion> Question>
void list_members(Members& members, Question& question) {
  members("id", question.id)("by", question.by)("to", question.to)("asked_at", question.asked_at);
  members("agreed", question.agreed)("outcome", question.outcome);
}

template <class Value>
concept is_listed = is<Value, Rules> || is<Value, HostedGameSeat> || is<Value, TakebackQuestion>;

// ---- The names of values

constexpr auto names_of(HostedGameStage /*any*/) {
  using enum HostedGameStage;
  return std::array{NamedValue{"open", open}, NamedValue{"drawing", drawing},
                    NamedValue{"settled", settled}, NamedValue{"started", started}};
}
constexpr auto names_of(HostedGame::Visibility /*any*/) {
  using enum HostedGame::Visibility;
  return std::array{NamedValue{"public", in_lists}, NamedValue{"private", by_its_id}};
}
constexpr auto names_of(HostedGame::GivenUp /*any*/) {
  using enum HostedGame::GivenUp;
  return std::array{NamedValue{"host", by_host}, NamedValue{"idle", when_idle}};
}
constexpr auto names_of(TakebackQuestion::Outcome /*any*/) {
  using enum TakebackQuestion::Outcome;
  return std::array{NamedValue{"refused", refused}, NamedValue{"withdrawn", withdrawn}};
}
constexpr const auto& names_of(HostedGame::Dice /*any*/) {
  return hosted_dice_names;
}
constexpr const auto& names_of(HostedGame::Takebacks /*any*/) {
  return takebacks_names;
}
constexpr const auto& names_of(HostedGameSeat::Auto /*any*/) {
  return seat_auto_names;
}
constexpr const auto& names_of(Finish /*any*/) {
  return finish_names;
}
constexpr const auto& names_of(Sixes /*any*/) {
  return sixes_names;
}
constexpr const auto& names_of(Meet /*any*/) {
  return meet_names;
}

template <class Value>
concept has_names = requires(Value value) { names_of(value); };

// ---- Writing

class MemberWriter {
 public:
  explicit MemberWriter(std::int64_t form) : form_(form) {}

  std::int64_t form() const { return form_; }
  template <class Value>
  MemberWriter& operator()(std::string_view name, const Value& value) {
    object_[name] = written(value);
    return *this;
  }
  json::object take() { return std::move(object_); }

 private:
  static json::value written(const std::string& text) { return json::string_view(text); }
  static json::value written(bool yes) { return yes; }
  static json::value written(std::integral auto number) { return std::int64_t{number}; }
  static json::value written(has_names auto value) {
    return json::string_view(name_of(names_of(value), value));
  }
  static json::value written(const Hash& bytes) { return json::string(to_hex(bytes)); }
  static json::value written(const Secret& secret) { return written(secret.to_keep()); }
  static json::value written(const JsonText<const std::string>& board) {
    return json::parse(board.text);
  }
  static json::value written(const SeatSet& seats) {
    json::array list;
    for (Seat seat = 0; seat < max_players; ++seat)
      if (seats.has(seat)) list.push_back(written(seat));
    return list;
  }
  template <is_listed Value>
  json::value written(const Value& value) const {
    MemberWriter members(form_);
    list_members(members, value);
    return members.take();
  }
  template <class Value>
  json::value written(const std::optional<Value>& value) const {
    return value ? written(*value) : json::value(nullptr);
  }
  template <class Value>
  json::value written(const std::vector<Value>& values) const {
    json::array list;
    for (const Value& value : values)
      list.push_back(written(value));
    return list;
  }

  std::int64_t form_;
  json::object object_;
};

// ---- Reading

/// Throws some std::exception, as Boost.JSON does, for anything that no document contains.
class MemberReader {
 public:
  explicit MemberReader(const json::value& object, std::int64_t form = first_form)
      : object_(object.as_object()), form_(form) {}

  std::int64_t form() const { return form_; }
  void set_form(std::int64_t form) { form_ = form; }

  template <class Value>
  MemberReader& operator()(std::string_view name, Value&& value) {
    read(object_.at(name), value);
    ++read_;
    return *this;
  }
  void end() const {
    if (read_ != object_.size()) throw std::invalid_argument("a member isn't known");
  }

 private:
  static void read(const json::value& from, std::string& text) { text = from.as_string(); }
  static void read(const json::value& from, bool& yes) { yes = from.as_bool(); }
  static void read(const json::value& from, std::integral auto& number) {
    number = from.to_number<std::remove_reference_t<decltype(number)>>();
  }
  static void read(const json::value& from, has_names auto& value) {
    value = value_named(names_of(value), from.as_string()).value();
  }
  static void read(const json::value& from, Hash& bytes) {
    bytes = hash_from_hex(from.as_string()).value();
  }
  static void read(const json::value& from, std::optional<Secret>& secret) {
    if (!from.is_null()) secret.emplace(hash_from_hex(from.as_string()).value());
  }
  static void read(const json::value& from, JsonText<std::string>& board) {
    board.text = json::serialize(from);
  }
  static void read(const json::value& from, SeatSet& seats) {
    for (const json::value& each : from.as_array()) {
      const auto seat = each.to_number<Seat>();
      if (seat >= max_players) throw std::out_of_range("there is no such seat");
      seats.insert(seat);
    }
  }
  template <is_listed Value>
  void read(const json::value& from, Value& value) const {
    MemberReader members(from, form_);
    list_members(members, value);
    members.end();
  }
  template <class Value>
  void read(const json::value& from, std::optional<Value>& value) const {
    if (!from.is_null()) read(from, value.emplace());
  }
  template <class Value>
  void read(const json::value& from, std::vector<Value>& values) const {
    for (const json::value& each : from.as_array())
      read(each, values.emplace_back());
  }

  const json::object& object_;
  std::int64_t form_;
  std::size_t read_ = 0;
};

/// The earliest form that can hold the game, so that an older snl can read the games that it knows
/// how to play.
std::int64_t form_of(const HostedGame& game) {
  const auto needs_more = [](const std::optional<HostedGameSeat>& seat) {
    return seat && (seat->automatic || seat->reserved || seat->back_at != 0);
  };
  const bool is_plain = !game.pace && !game.other_host && !game.drawing_since &&
                        game.redraws == 0 && game.given_up_seats.empty() && !game.rematch &&
                        std::ranges::none_of(game.seats, needs_more);
  return is_plain ? first_form : this_form;
}

bool is_possible(const HostedGame& game) {
  const std::size_t seats = game.seats.size();
  return seats >= min_players && seats <= max_players &&
         (!game.question || game.question->by < seats) && faults_of(game.rules).empty();
}

[[noreturn]] void refuse_document(StoreError::Cause cause, std::string_view id,
                                  std::string_view why) {
  throw StoreError(cause, fmt::format("what the server keeps of game {} {}", id, why));
}

[[noreturn]] void refuse_form(std::string_view id, std::int64_t form) {
  if (form > this_form)
    refuse_document(
        StoreError::Cause::other_version, id,
        fmt::format("has form {}, and this snl reads up to {}; use a newer snl", form, this_form));
  refuse_document(StoreError::Cause::damaged, id, "is damaged; restore a copy");
}

}  // namespace

std::string encode_hosted_game(const HostedGame& game) {
  MemberWriter members(form_of(game));
  members("form", members.form());
  list_members(members, game);
  return json::serialize(members.take());
}

HostedGame decode_hosted_game(std::string_view id, std::int64_t revision,
                              std::string_view document) {
  HostedGame game;
  game.id = id;
  game.revision = revision;
  std::int64_t form = 0;
  try {
    const json::value value = json::parse(document);
    MemberReader members(value);
    members("form", form);
    if (form >= first_form && form <= this_form) {
      members.set_form(form);
      list_members(members, game);
      members.end();
      if (is_possible(game)) return game;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // of several kinds; details would help nobody
    refuse_form(id, form);
  }
  refuse_form(id, form);
}

}  // namespace snl
