#include "hosted_game_codec.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

constexpr std::int64_t this_form = 1;

// ---- What is in a document: each member once, for the writer and for the reader

template <class Value, class Type>
concept is = std::same_as<std::remove_const_t<Value>, Type>;

/// A text that is JSON itself.
template <class Text>
struct JsonText {
  Text& text;
};
template <class Text>
JsonText(Text&) -> JsonText<Text>;

template <class Members, is<Room> Game>
void list_members(Members& members, Game& game) {
  members("created", game.created)("stage", game.stage)("visibility", game.visibility);
  members("given_up", game.given_up)("host_token", game.host_token)("request", game.request);
  members("dice", game.dice)("takebacks", game.takebacks)("board", JsonText{game.board});
  members("rules", game.rules)("seats", game.seats)("secret", game.secret);
  members("question", game.question);
}

template <class Members, is<Rules> Game>
void list_members(Members& members, Game& rules) {
  members("start", rules.start)("finish", rules.finish)("dice", rules.dice)("faces", rules.faces);
  members("sixes", rules.sixes)("enter", rules.enter)("meet", rules.meet)("safe", rules.safe);
}

template <class Members, is<RoomSeat> Seat>
void list_members(Members& members, Seat& seat) {
  members("name", seat.name)("token", seat.token)("tokens", seat.tokens);
  members("entropy_hash", seat.entropy_hash)("entropy", seat.entropy);
}

template <class Members, is<RoomQuestion> Question>
void list_members(Members& members, Question& question) {
  members("id", question.id)("by", question.by)("to", question.to)("asked_at", question.asked_at);
  members("agreed", question.agreed)("outcome", question.outcome);
}

template <class Value>
concept is_listed = is<Value, Rules> || is<Value, RoomSeat> || is<Value, RoomQuestion>;

// ---- Words, in the order of their values; those of rules are the domain's

template <class Enum>
constexpr std::array<std::string_view, 0> words{};
template <>
constexpr std::array<std::string_view, 4> words<RoomStage>{"open", "drawing", "settled", "started"};
template <>
constexpr std::array<std::string_view, 2> words<Room::Visibility>{"public", "private"};
template <>
constexpr std::array<std::string_view, 2> words<Room::GivenUp>{"host", "idle"};
template <>
constexpr std::array<std::string_view, 2> words<Room::Dice>{"seeded", "own"};
template <>
constexpr std::array<std::string_view, 2> words<Room::Takebacks>{"ask", "none"};
template <>
constexpr std::array<std::string_view, 2> words<RoomQuestion::Outcome>{"refused", "withdrawn"};

template <class Enum>
std::string word_of(Enum value) {
  return std::string(words<Enum>.at(static_cast<std::size_t>(value)));
}
std::string word_of(Finish finish) {
  return to_string(finish);
}
std::string word_of(Sixes sixes) {
  return to_string(sixes);
}
std::string word_of(Meet meet) {
  return to_string(meet);
}

template <class Enum>
std::optional<Enum> named(std::string_view word, Enum /*any*/) {
  const auto found = std::ranges::find(words<Enum>, word);
  if (found == words<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - words<Enum>.begin());
}
std::optional<Finish> named(std::string_view word, Finish /*any*/) {
  return finish_named(word);
}
std::optional<Sixes> named(std::string_view word, Sixes /*any*/) {
  return sixes_named(word);
}
std::optional<Meet> named(std::string_view word, Meet /*any*/) {
  return meet_named(word);
}

template <class Value>
concept is_word = std::is_enum_v<Value>;

// ---- Writing

class MemberWriter {
 public:
  template <class Value>
  MemberWriter& operator()(std::string_view name, const Value& value) {
    object_[name] = written(value);
    return *this;
  }
  json::object take() { return std::move(object_); }

 private:
  static json::value written(const std::string& text) { return json::value(text); }
  static json::value written(std::integral auto number) { return std::int64_t{number}; }
  static json::value written(is_word auto value) { return json::value(word_of(value)); }
  static json::value written(const Hash& bytes) { return json::value(to_hex(bytes)); }
  static json::value written(const Secret& secret) { return written(secret.to_keep()); }
  static json::value written(const JsonText<const std::string>& json) {
    return json::parse(json.text);
  }
  static json::value written(const SeatSet& seats) {
    json::array list;
    for (Seat seat = 0; seat < max_players; ++seat)
      if (seats.has(seat)) list.push_back(written(seat));
    return list;
  }
  template <is_listed Value>
  static json::value written(const Value& value) {
    MemberWriter members;
    list_members(members, value);
    return members.take();
  }
  template <class Value>
  static json::value written(const std::optional<Value>& value) {
    return value ? written(*value) : json::value(nullptr);
  }
  template <class Value>
  static json::value written(const std::vector<Value>& values) {
    json::array list;
    for (const Value& value : values)
      list.push_back(written(value));
    return list;
  }

  json::object object_;
};

// ---- Reading

/// What can't be, as a part of a sentence.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Fault for what no document says, and what Boost.JSON throws for a value of another type.
class MemberReader {
 public:
  explicit MemberReader(const json::value& object) : object_(object.as_object()) {}

  template <class Value>
  MemberReader& operator()(std::string_view name, Value&& value) {
    const json::value* member = object_.if_contains(name);
    if (member == nullptr) throw Fault(fmt::format("\"{}\" is missing", name));
    read(*member, value);
    ++read_;
    return *this;
  }
  void end() const {
    if (read_ != object_.size()) throw Fault("it has a member that isn't known");
  }

 private:
  static void read(const json::value& from, std::string& text) { text = from.as_string(); }
  static void read(const json::value& from, std::integral auto& number) {
    number = from.to_number<std::remove_reference_t<decltype(number)>>();
  }
  static void read(const json::value& from, is_word auto& value) {
    const auto found = named(from.as_string(), value);
    if (!found) throw Fault(fmt::format("\"{}\" isn't known", std::string(from.as_string())));
    value = *found;
  }
  static void read(const json::value& from, Hash& bytes) {
    const auto found = hash_from_hex(from.as_string());
    if (!found) throw Fault("32 bytes in hex are expected");
    bytes = *found;
  }
  static void read(const json::value& from, std::optional<Secret>& secret) {
    std::optional<Hash> bytes;
    read(from, bytes);
    if (bytes) secret.emplace(*bytes);
  }
  static void read(const json::value& from, JsonText<std::string>& json) {
    json.text = json::serialize(from);
  }
  static void read(const json::value& from, SeatSet& seats) {
    for (const json::value& each : from.as_array())
      seats.insert(seat_in(each.to_number<Seat>(), max_players));
  }
  template <is_listed Value>
  static void read(const json::value& from, Value& value) {
    MemberReader members(from);
    list_members(members, value);
    members.end();
  }
  template <class Value>
  static void read(const json::value& from, std::optional<Value>& value) {
    if (!from.is_null()) read(from, value.emplace());
  }
  template <class Value>
  static void read(const json::value& from, std::vector<Value>& values) {
    for (const json::value& each : from.as_array())
      read(each, values.emplace_back());
  }

 public:
  static Seat seat_in(Seat seat, std::size_t seats) {
    if (seat >= seats) throw Fault(fmt::format("there is no seat {}", seat));
    return seat;
  }

 private:
  const json::object& object_;
  std::size_t read_ = 0;
};

void require_possible(const Room& game) {
  if (game.seats.size() < min_players || game.seats.size() > max_players)
    throw Fault(fmt::format("it can't have {} seats", game.seats.size()));
  if (game.question) MemberReader::seat_in(game.question->by, game.seats.size());
  if (const auto faults = faults_of(game.rules); !faults.empty()) throw Fault(faults.front());
}

[[noreturn]] void refuse_document(StoreError::Cause cause, std::string_view id,
                                  std::string_view why) {
  throw StoreError(cause, fmt::format("what the server keeps of game {} {}", id, why));
}

}  // namespace

std::string encode_hosted_game(const Room& game) {
  MemberWriter members;
  members("form", this_form);
  list_members(members, game);
  return json::serialize(members.take());
}

Room decode_hosted_game(std::string_view id, std::int64_t revision, std::string_view document) {
  Room game;
  game.id = id;
  game.changed = revision;
  std::int64_t form = 0;
  std::string why = "its document can't be read";
  try {
    const json::value value = json::parse(document);
    MemberReader members(value);
    members("form", form);
    if (form == this_form) {
      list_members(members, game);
      members.end();
      require_possible(game);
      return game;
    }
  } catch (const Fault& fault) {
    why = fault.what();
  } catch (const std::exception&) {  // Boost.JSON's, of several kinds
  }
  if (form > this_form)
    refuse_document(
        StoreError::Cause::other_version, id,
        fmt::format("has form {}, and this snl reads up to {}; use a newer snl", form, this_form));
  refuse_document(StoreError::Cause::damaged, id,
                  fmt::format("is damaged: {}; restore a copy", why));
}

}  // namespace snl
