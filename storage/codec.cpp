#include "codec.hpp"

#include "domain/faults.hpp"
#include "domain/rules.hpp"
#include "game_id.hpp"
#include "hash.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>

namespace snl {
namespace {

// ---- Writing

/// The schema version of most types, and the one for effects, for a draw, for an agreed takeback
/// and for a roll in a player's place: see storage/format.md.
constexpr std::int32_t plain_schema = 1;
constexpr std::int32_t extended_schema = 2;

/// Whether board, rules and origin have the fields of effects.
enum class Fields : std::uint8_t { plain, with_effects };

Fields fields_of(const GameSetup& setup) {
  return has_effects(setup) ? Fields::with_effects : Fields::plain;
}

std::int32_t event_schema_of(const GameSetup& setup) {
  return has_effects(setup) || setup.draw ? extended_schema : plain_schema;
}

/// Numbers of turns and of cells share their types with others, but have their own limits.
template <class Number>
struct AsTurn {
  Number& number;
};
template <class Number>
struct AsCell {
  Number& number;
};

/// Writes lists and values, with commas between them.
class Writer {
 public:
  explicit Writer(std::string& json) : json_(json) {}

  Writer& open() {
    separate();
    json_ += '[';
    first_ = true;
    return *this;
  }
  Writer& close() {
    json_ += ']';
    first_ = false;
    return *this;
  }
  Writer& raw(std::string_view text) {
    separate();
    json_ += text;
    return *this;
  }
  Writer& value(std::integral auto number) {
    // The body is compiled once for all smaller types.
    if constexpr (sizeof(number) < sizeof(std::int64_t)) return value(std::int64_t{number});
    char digits[24];
    digits[0] = ',';
    const auto end = std::to_chars(std::begin(digits) + 1, std::end(digits), number).ptr;
    json_.append(first_ ? digits + 1 : digits, end);
    first_ = false;
    return *this;
  }
  Writer& value(bool yes) { return raw(yes ? "true" : "false"); }
  Writer& value(std::string_view text) {
    separate();
    append_json_string(json_, text);
    return *this;
  }
  /// In hex.
  Writer& bytes(const Draw::Bytes& bytes) { return value(std::string_view(to_hex(bytes))); }
  template <class Value>
  Writer& value(const std::optional<Value>& given) {
    return given ? value(*given) : raw("null");
  }
  Writer& list(const auto& values) {
    open();
    for (const auto& each : values)
      value(each);
    return close();
  }
  Writer& value(const Dice& dice) {
    open();
    for (const std::int32_t die : dice.values())
      value(die);
    if (dice.size() > max_dice) value(0);  // so a cut list equals no other; it is never recorded
    return close();
  }
  Writer& value(Jump jump) { return open().value(jump.from).value(jump.to).close(); }
  Writer& value(const Power& power) { return open().parts(power).close(); }
  Writer& value(const PowerCell& at) { return open().value(at.cell).parts(at.power).close(); }
  Writer& value(const SeatSet& seats) {
    open();
    for (Seat seat = 0; seat < max_players; ++seat)
      if (seats.has(seat)) value(seat);
    return close();
  }
  /// By seat, without the zeros at the end.
  Writer& value(const SeatCounts& counts) {
    Seat end = max_players;
    while (end > 0 && counts.of(static_cast<Seat>(end - 1)) == 0)
      --end;
    open();
    for (Seat seat = 0; seat < end; ++seat)
      value(counts.of(seat));
    return close();
  }

  Writer& value(AsTurn<const Turn> turn) { return value(turn.number); }
  Writer& value(AsCell<const Cell> cell) { return value(cell.number); }
  Writer& value(Outcome outcome) { return value(std::string_view(to_string(outcome))); }

  /// Like FieldReader::fields.
  void fields(const auto&... all) { (value(all), ...); }
  void missed(const TurnPlayed& turn) { list(missed_after(turn)); }

  Writer& value(const Rules& rules, Fields fields) {
    open()
        .value(rules.start)
        .value(to_string(rules.finish))
        .value(rules.dice)
        .value(rules.faces)
        .value(to_string(rules.sixes));
    if (fields == Fields::with_effects)
      list(rules.enter).value(to_string(rules.meet)).list(rules.safe);
    return close();
  }
  Writer& value(const Origin& origin, std::size_t players, Fields fields) {
    const Position& position = origin.position;
    open()
        .value(std::string_view(origin.game))
        .value(position.turn)
        .value(std::string_view(origin.head));
    return value(position, players, fields).close();
  }
  /// The pieces and the seat to move or the winner, but not the turn.
  Writer& value(const Position& position, std::size_t players, Fields fields) {
    open();
    for (std::size_t seat = 0; seat < players; ++seat)
      value(position.cells[seat]);
    close().value(position.next).value(position.winner);
    if (fields == Fields::with_effects)
      value(position.tallies.shields).value(position.tallies.skips);
    return *this;
  }
  Writer& value(const Draw& draw) {
    open().bytes(draw.commitment).bytes(draw.secret).open();
    for (const auto& entropy : draw.entropy) {
      if (entropy)
        bytes(*entropy);
      else
        raw("null");
    }
    return close().close();
  }
  Writer& value(const GameSetup& setup) {
    const Fields fields = fields_of(setup);
    list(setup.players).open().value(setup.board.cells()).value(setup.board.width());
    list(setup.board.snakes()).list(setup.board.ladders());
    if (fields == Fields::with_effects) list(setup.board.powers());
    close();
    value(setup.rules, fields).value(setup.seed);
    if (setup.origin)
      value(*setup.origin, setup.players.size(), fields);
    else
      raw("null");
    return setup.draw ? value(*setup.draw) : *this;
  }

 private:
  Writer& parts(const Power& power) {
    value(to_string(power.kind));
    return has_number(power.kind) ? value(power.n) : *this;
  }

  void separate() {
    if (!first_) json_ += ',';
    first_ = false;
  }

  std::string& json_;
  bool first_ = true;
};

// ---- The fields of events
//
// Each is named once: a Writer writes them, and a Reader reads them, in this order.

template <class Value, class Type>
concept Like = std::same_as<std::remove_const_t<Value>, Type>;

/// A value for a Writer, or a place for a Reader to fill.
template <class Value>
const Value& there(const std::optional<Value>& value) {
  return *value;
}
template <class Value>
Value& there(std::optional<Value>& value) {
  return value.emplace();
}

void fields_of_restored(auto& restored, auto& json) {
  json.fields(restored.captured, AsCell(restored.captured_to), restored.swapped,
              AsCell(restored.swapped_to), restored.tallies.shields, restored.tallies.skips);
}

void fields_of(Like<TurnPlayed> auto& turn, auto& json, std::int32_t schema) {
  json.fields(AsTurn(turn.turn), turn.seat, turn.dice, turn.rolled, AsCell(turn.from),
              AsCell(turn.landed), AsCell(turn.to), turn.outcome, turn.next, turn.previous);
  if (schema == plain_schema) return;
  auto& effects = there(turn.effects);
  json.fields(AsCell(effects.rest), effects.shielded, effects.captured, AsCell(effects.captured_to),
              effects.power, effects.swapped, effects.before.shields, effects.before.skips,
              effects.after.shields, effects.after.skips);
  json.missed(turn);
}

void fields_of(Like<TurnUndone> auto& turn, auto& json, std::int32_t schema) {
  json.fields(turn.index, AsTurn(turn.turn), turn.seat, AsCell(turn.from), AsCell(turn.to),
              turn.played, turn.previous, turn.later.version, turn.later.index);
  if (schema == extended_schema) fields_of_restored(there(turn.restored), json);
}

void fields_of(Like<TurnRedone> auto& turn, auto& json, std::int32_t schema) {
  json.fields(turn.index, AsTurn(turn.turn), turn.seat, AsCell(turn.from), AsCell(turn.to),
              turn.outcome, turn.next, turn.played, turn.later.version, turn.later.index);
  if (schema == extended_schema) fields_of_restored(there(turn.restored), json);
}

/// {"type":[schema version, …
Writer begin(std::string& json, std::string_view type, std::int32_t schema = plain_schema) {
  json += "{\"";
  json += type;
  json += "\":";
  Writer writer(json);
  writer.open().value(schema);
  return writer;
}

void write_fields(std::string& json, std::string_view type, const auto& event, bool is_extended) {
  const std::int32_t schema = is_extended ? extended_schema : plain_schema;
  Writer writer = begin(json, type, schema);
  fields_of(event, writer, schema);
  writer.close();
}

void write_body(std::string& json, const StartGame& start) {
  begin(json, "start", event_schema_of(*start.setup)).value(*start.setup).close();
}
void write_body(std::string& json, const PlayTurn& play) {
  begin(json, "play").value(play.seat).value(play.dice).close();
}
void write_body(std::string& json, const RollTurn& roll) {
  const bool is_players = roll.by == Roller::player;
  Writer writer = begin(json, "roll", is_players ? plain_schema : extended_schema);
  if (!is_players) writer.value(name_of(roller_names, roll.by));
  writer.close();
}
void write_body(std::string& json, const UndoTurns& undo) {
  begin(json, "undo").value(undo.count).close();
}
void write_body(std::string& json, const UndoToTurn& undo) {
  const auto& takeback = undo.takeback;
  Writer writer = begin(json, "undo_to", takeback ? extended_schema : plain_schema);
  writer.value(undo.turn);
  if (takeback) writer.value(takeback->asked).value(takeback->agreed);
  writer.close();
}
void write_body(std::string& json, const RedoTurns& redo) {
  begin(json, "redo").value(redo.count).close();
}

void write_body(std::string& json, const GameStarted& started) {
  begin(json, "started", event_schema_of(*started.setup))
      .value(hash_format)
      .value(*started.setup)
      .close();
}

/// A short text whose parts are known to fit. Most texts ever written are turns, and asking for
/// room before every comma takes three times as long.
class ShortText {
 public:
  ShortText& put(std::string_view text) {
    end_ = std::ranges::copy(text, end_).out;
    return *this;
  }
  ShortText& put(std::integral auto number) {
    end_ = std::to_chars(end_, bytes_.data() + bytes_.size(), number).ptr;
    return *this;
  }
  std::string_view text() const { return {bytes_.data(), end_}; }

 private:
  /// Room for a turn: thirteen numbers of at most 20 characters, and fewer than 100 others.
  std::array<char, 384> bytes_;
  char* end_ = bytes_.data();
};

/// Writes a turn with nothing out of the ordinary, just as a Writer would.
void write_usual_turn(std::string& json, const TurnPlayed& turn) {
  ShortText text;
  text.put("{\"played\":[1,").put(turn.turn).put(",").put(turn.seat);
  std::string_view before = ",[";
  for (const std::int32_t die : turn.dice.values()) {
    text.put(before).put(die);
    before = ",";
  }
  text.put(turn.rolled ? "],true," : "],false,")
      .put(turn.from)
      .put(",")
      .put(turn.landed)
      .put(",")
      .put(turn.to)
      .put(",\"")
      .put(to_string(turn.outcome))
      .put("\",");
  if (turn.next)
    text.put(*turn.next);
  else
    text.put("null");
  text.put(",").put(turn.previous).put("]");
  json += text.text();
}

void write_body(std::string& json, const TurnPlayed& turn) {
  if (!turn.effects && turn.dice.size() > 0 && turn.dice.size() <= max_dice)
    return write_usual_turn(json, turn);
  write_fields(json, "played", turn, turn.effects.has_value());
}
void write_body(std::string& json, const TurnUndone& turn) {
  write_fields(json, "undone", turn, turn.restored.has_value());
}
void write_body(std::string& json, const TurnRedone& turn) {
  write_fields(json, "redone", turn, turn.restored.has_value());
}

// ---- Reading

/// Takes canonical JSON apart from the left. It keeps the first error, and everything after that
/// reads as empty, so callers check ok() once, at the end.
class Reader {
 public:
  explicit Reader(std::string_view json)
      : begin_(json.data()), at_(json.data()), end_(json.data() + json.size()) {}

  bool ok() const { return !failed_; }
  const std::string& why() const { return why_; }
  bool at_end() const { return at_ == end_; }

  void fail(std::string why) {
    if (failed_) return;
    failed_ = true;
    why_ = std::move(why);
    at_ = end_;
  }

  /// If `text` comes next, skips it and returns true.
  bool take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  bool take(char byte) {
    if (at_ == end_ || *at_ != byte) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view text) {
    if (!take(text)) fail_to_find(text);
  }
  void expect(char byte) {
    if (!take(byte)) fail_to_find({&byte, 1});
  }

  /// Takes the comma between two values of a list; nothing before the first.
  void next() {
    if (first_)
      first_ = false;
    else
      expect(',');
  }
  void open() {
    next();
    expect('[');
    first_ = true;
  }
  void close() {
    expect(']');
    first_ = false;
  }
  bool closes() { return failed_ || (at_ != end_ && *at_ == ']'); }

  template <std::integral Number>
  Number number(Number low, Number high) {
    next();
    const char* digit = at_;
    const bool negative = digit != end_ && *digit == '-';
    if (negative) ++digit;
    const char* const first = digit;
    std::uint64_t magnitude = 0;
    bool fits = true;
    for (; digit != end_ && is_digit(*digit); ++digit)
      fits = !__builtin_mul_overflow(magnitude, 10U, &magnitude) &&
             !__builtin_add_overflow(magnitude, static_cast<unsigned>(*digit - '0'), &magnitude) &&
             fits;
    const auto digits = digit - first;
    const bool canonical = digits == 1 ? !negative || magnitude != 0 : digits > 1 && *first != '0';
    if (!canonical || !fits || !is_within(negative, magnitude, low, high)) {
      fail_to_find_number(std::to_string(low), std::to_string(high));
      return low;
    }
    at_ = digit;
    return static_cast<Number>(negative ? 0 - magnitude : magnitude);
  }

  /// Takes {"type":[ and returns the type.
  std::string_view begin_body() {
    expect("{\"");
    const std::string_view word = this->word();
    expect("\":[");
    first_ = true;
    return word;
  }

  bool boolean() {
    next();
    if (take("true")) return true;
    expect("false");
    return false;
  }

  /// A string without escapes.
  std::string_view name() {
    next();
    expect('"');
    const char* const first = at_;
    while (at_ != end_ && *at_ != '"')
      ++at_;
    const std::string_view name(first, static_cast<std::size_t>(at_ - first));
    expect('"');
    return name;
  }

  std::string string() {
    next();
    return first_string();
  }

  /// A string without a comma before it.
  std::string first_string() {
    expect('"');
    std::string text;
    while (ok()) {
      const std::string_view rest = this->rest();
      const std::size_t plain = rest.find_first_of("\"\\");
      if (plain == std::string_view::npos) {
        fail("a string has no end");
        break;
      }
      if (std::ranges::any_of(rest.substr(0, plain), is_control)) {
        fail("a string has a control character");
        break;
      }
      text += rest.substr(0, plain);
      at_ += plain;
      if (take('"')) break;
      if (take("\\\""))
        text += '"';
      else if (take("\\\\"))
        text += '\\';
      else
        fail("a string has an escape that isn't needed");
    }
    return text;
  }

  bool null() {
    if (!rest().starts_with(first_ ? "null" : ",null")) return false;
    next();
    expect("null");
    return true;
  }

 private:
  static bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20; }
  static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

  template <std::integral Number>
  static bool is_within(bool negative, std::uint64_t magnitude, Number low, Number high) {
    if (!negative)
      return std::cmp_less_equal(magnitude, high) && std::cmp_greater_equal(magnitude, low);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (magnitude > most) return false;
    const std::int64_t value = -static_cast<std::int64_t>(magnitude);
    return std::cmp_greater_equal(value, low) && std::cmp_less_equal(value, high);
  }

  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  std::string_view word() {
    const char* const first = at_;
    while (at_ != end_ && ((*at_ >= 'a' && *at_ <= 'z') || *at_ == '_'))
      ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  [[gnu::cold]] void fail_to_find(std::string_view text) {
    fail("\"" + std::string(text) + "\" is expected at byte " + std::to_string(at_ - begin_));
  }
  [[gnu::cold]] void fail_to_find_number(const std::string& low, const std::string& high) {
    fail("a number from " + low + " to " + high + " is expected at byte " +
         std::to_string(at_ - begin_));
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  bool failed_ = false;
  bool first_ = true;
  std::string why_;
};

constexpr auto max_number = std::numeric_limits<std::int64_t>::max();
constexpr auto max_index = std::numeric_limits<std::int32_t>::max();
constexpr auto max_cell = static_cast<Cell>(max_cells);

/// Reads a list; `read` takes one value at a time.
template <class Read>
void read_list(Reader& reader, const Read& read) {
  reader.open();
  while (!reader.closes())
    read();
  reader.close();
}

Seat read_seat(Reader& reader) {
  return reader.number<Seat>(0, static_cast<Seat>(max_players - 1));
}
std::optional<Seat> read_optional_seat(Reader& reader) {
  if (reader.null()) return std::nullopt;
  return read_seat(reader);
}
Cell read_cell(Reader& reader) {
  return reader.number<Cell>(0, max_cell);
}
Version read_version(Reader& reader) {
  return reader.number<Version>(0, max_number);
}
Dice read_dice(Reader& reader) {
  std::array<std::int32_t, max_dice> values{};
  std::size_t count = 0;
  reader.open();
  while (!reader.closes() && count < max_dice)
    values[count++] = reader.number<std::int32_t>(1, max_faces);
  reader.close();
  return Dice(std::span(values).first(count));
}

/// Only games with effects have `waiting`.
Outcome read_outcome(Reader& reader, std::int32_t schema) {
  const std::string_view name = reader.name();
  const auto outcome = outcome_named(name);
  const bool is_known = outcome && (schema == extended_schema || outcome != Outcome::waiting);
  if (!is_known) reader.fail("\"" + std::string(name) + "\" isn't an outcome");
  return outcome.value_or(Outcome::moved);
}

std::vector<DescribedJump> read_jumps(Reader& reader) {
  std::vector<DescribedJump> jumps;
  read_list(reader, [&] {
    reader.open();
    const Cell from = read_cell(reader);
    if (!jumps.empty() && from <= jumps.back().from)
      reader.fail("jumps are listed in the order of the cells where they start");
    jumps.push_back({from, read_cell(reader)});
    reader.close();
  });
  return jumps;
}

/// Reads the name of a power, and its number if its kind has one, as the last values of a list.
Power read_power(Reader& reader) {
  const std::string_view name = reader.name();
  const auto kind = power_named(name);
  if (!kind) reader.fail("\"" + std::string(name) + "\" isn't a power");
  Power power{.kind = kind.value_or(PowerKind::again)};
  if (has_number(power.kind)) power.n = reader.number<std::uint8_t>(1, max_seat_count);
  return power;
}

std::vector<DescribedPower> read_powers(Reader& reader) {
  std::vector<DescribedPower> powers;
  read_list(reader, [&] {
    reader.open();
    const Cell cell = read_cell(reader);
    if (!powers.empty() && cell <= powers.back().cell)
      reader.fail("powers are listed in the order of their cells");
    const Power power = read_power(reader);
    powers.push_back({.cell = cell, .kind = power.kind});
    if (has_number(power.kind)) powers.back().n = power.n;
    reader.close();
  });
  return powers;
}

std::vector<std::int32_t> read_numbers(Reader& reader) {
  std::vector<std::int32_t> numbers;
  read_list(reader, [&] { numbers.push_back(reader.number<std::int32_t>(0, max_cell)); });
  return numbers;
}

SeatSet read_seat_set(Reader& reader) {
  SeatSet seats;
  std::int32_t last = -1;
  read_list(reader, [&] {
    const Seat seat = read_seat(reader);
    if (seat <= last) reader.fail("seats are listed ascending");
    seats.insert(seat);
    last = seat;
  });
  return seats;
}

SeatCounts read_seat_counts(Reader& reader) {
  SeatCounts counts;
  std::int32_t last = 1;
  reader.open();
  for (Seat seat = 0; seat < max_players && !reader.closes(); ++seat) {
    last = reader.number<std::int32_t>(0, max_seat_count);
    counts.set(seat, last);
  }
  reader.close();
  if (last == 0) reader.fail("counts by seat end with one that isn't zero");
  return counts;
}

Tallies read_tallies(Reader& reader) {
  const SeatCounts shields = read_seat_counts(reader);
  return {.shields = shields, .skips = read_seat_counts(reader)};
}

/// A board and its set of fields, which the rules and the origin after it share. The board is empty
/// if it has a fault.
struct ReadBoard {
  Board board;
  Fields fields;
  Faults faults;
};

ReadBoard read_board(Reader& reader, std::int32_t schema) {
  BoardDescription description;
  reader.open();
  description.cells = read_cell(reader);
  description.width = read_cell(reader);
  description.snakes = read_jumps(reader);
  description.ladders = read_jumps(reader);
  const bool goes_on = schema == extended_schema && !reader.closes();
  const Fields fields = goes_on ? Fields::with_effects : Fields::plain;
  if (goes_on) description.powers = read_powers(reader);
  reader.close();
  if (reader.ok()) {
    auto board = Board::make(description);
    if (board) return {*std::move(board), fields, {}};
    return {*Board::make({}), fields, messages_of(board.error())};
  }
  return {*Board::make({}), fields, {}};
}

Rules read_rules(Reader& reader, Fields fields) {
  Rules rules;
  reader.open();
  rules.start = read_cell(reader);
  const auto finish = value_named(finish_names, reader.string());
  rules.dice = reader.number<std::int32_t>(0, max_index);
  rules.faces = reader.number<std::int32_t>(0, max_index);
  const auto sixes = value_named(sixes_names, reader.string());
  if (fields == Fields::with_effects) {
    rules.enter = read_numbers(reader);
    const auto meet = value_named(meet_names, reader.name());
    if (!meet) reader.fail("the rules have an unknown value of meet");
    rules.meet = meet.value_or(Meet::share);
    rules.safe = read_numbers(reader);
  }
  reader.close();
  if (!finish || !sixes) reader.fail("the rules have an unknown value of finish or sixes");
  rules.finish = finish.value_or(Finish::exact);
  rules.sixes = sixes.value_or(Sixes::plain);
  return rules;
}

void read_places(Reader& reader, Position& position, std::size_t players, Fields fields) {
  reader.open();
  for (std::size_t seat = 0; seat < std::min(players, max_players); ++seat)
    position.cells[seat] = read_cell(reader);
  reader.close();
  position.next = read_seat(reader);
  position.winner = read_optional_seat(reader);
  if (fields == Fields::with_effects) position.tallies = read_tallies(reader);
}

std::optional<Origin> read_origin(Reader& reader, std::size_t players, Fields fields) {
  if (reader.null()) return std::nullopt;
  Origin origin;
  Position& position = origin.position;
  reader.open();
  origin.game = reader.string();
  position.turn = reader.number<Turn>(0, max_number);
  origin.head = reader.string();
  read_places(reader, position, players, fields);
  reader.close();
  if (!is_game_id(origin.game) || !hash_from_hex(origin.head))
    reader.fail("the origin doesn't name a game by a valid ID and head");
  return origin;
}

Draw::Bytes read_bytes(Reader& reader) {
  const auto bytes = hash_from_hex(reader.name());
  if (!bytes) reader.fail("64 hex digits are expected in a draw");
  return bytes.value_or(Draw::Bytes{});
}

Draw read_draw(Reader& reader) {
  Draw draw;
  reader.open();
  draw.commitment = read_bytes(reader);
  draw.secret = read_bytes(reader);
  read_list(reader, [&] {
    if (draw.entropy.size() == max_players)
      reader.fail("there is more entropy than a game has players");
    draw.entropy.push_back(reader.null() ? std::nullopt : std::optional(read_bytes(reader)));
  });
  reader.close();
  return draw;
}

/// The fault of a setup that was read with these fields and this schema version.
std::optional<std::string> fault_of(const GameSetup& setup, Fields fields, std::int32_t schema) {
  // A game that couldn't have been started must not be folded.
  if (const auto faults = faults_of(setup); !faults.empty())
    return "the setup is invalid: " + in_a_line(faults);
  if (fields_of(setup) != fields)
    return "a setup without powers, enter, capture or each has none of their fields";
  if (event_schema_of(setup) != schema)
    return "a setup without powers, enter, capture, each or a draw has schema version 1";
  return std::nullopt;
}

std::shared_ptr<const GameSetup> read_setup(Reader& reader, std::int32_t schema) {
  std::vector<std::string> players;
  read_list(reader, [&] {
    if (players.size() == max_players) reader.fail("there are more players than a game has");
    players.push_back(reader.string());
  });
  auto [board, fields, faults] = read_board(reader, schema);
  Rules rules = read_rules(reader, fields);
  const auto seed = reader.number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max());
  auto origin = read_origin(reader, players.size(), fields);
  const bool has_draw = schema == extended_schema && !reader.closes();
  auto draw = has_draw ? std::optional(read_draw(reader)) : std::nullopt;
  auto setup = std::make_shared<GameSetup>(GameSetup{.players = std::move(players),
                                                     .board = std::move(board),
                                                     .rules = std::move(rules),
                                                     .seed = seed,
                                                     .origin = std::move(origin),
                                                     .draw = std::move(draw)});
  if (!reader.ok()) return setup;
  if (!faults.empty()) {
    std::ranges::move(faults_besides_board(setup->players, setup->rules),
                      std::back_inserter(faults));
    reader.fail("the board is invalid: " + in_a_line(faults));
  } else if (auto fault = fault_of(*setup, fields, schema)) {
    reader.fail(*std::move(fault));
  }
  return setup;
}

GameStarted read_started(Reader& reader, std::int32_t schema) {
  const std::string format = reader.string();
  if (format != hash_format) reader.fail("the hash format \"" + format + "\" isn't known");
  return {read_setup(reader, schema)};
}

/// Reads the seats that missed turns, in order.
void read_missed(Reader& reader, TurnPlayed& turn) {
  SeatCounts& counts = turn.effects->missed;
  std::vector<Seat> missed;
  read_list(reader, [&] {
    missed.push_back(read_seat(reader));
    const std::int32_t count = counts.of(missed.back()) + 1;
    if (count > max_seat_count)
      reader.fail("nobody misses more than 3 turns");
    else
      counts.set(missed.back(), count);
  });
  if (reader.ok() && missed != missed_after(turn))
    reader.fail("turns are missed in turn order after the mover");
}

class FieldReader {
 public:
  FieldReader(Reader& reader, std::int32_t schema) : reader_(reader), schema_(schema) {}

  void fields(auto&&... all) { (read(all), ...); }
  void missed(TurnPlayed& turn) { read_missed(reader_, turn); }

 private:
  void read(AsTurn<Turn> turn) { turn.number = reader_.number<Turn>(1, max_number); }
  void read(AsCell<Cell> cell) { cell.number = read_cell(reader_); }
  void read(Version& version) { version = read_version(reader_); }
  void read(std::int32_t& index) { index = reader_.number<std::int32_t>(0, max_index); }
  void read(Seat& seat) { seat = read_seat(reader_); }
  void read(std::optional<Seat>& seat) { seat = read_optional_seat(reader_); }
  void read(bool& yes) { yes = reader_.boolean(); }
  void read(Dice& dice) { dice = read_dice(reader_); }
  void read(Outcome& outcome) { outcome = read_outcome(reader_, schema_); }
  void read(SeatSet& seats) { seats = read_seat_set(reader_); }
  void read(SeatCounts& counts) { counts = read_seat_counts(reader_); }
  void read(std::optional<Power>& power) {
    if (reader_.null()) return;
    reader_.open();
    power = read_power(reader_);
    reader_.close();
  }

  Reader& reader_;
  std::int32_t schema_;
};

template <class Event>
Event read_fields(Reader& reader, std::int32_t schema) {
  Event event;
  FieldReader fields(reader, schema);
  fields_of(event, fields, schema);
  return event;
}

/// Whether a type has a second schema version.
bool may_be_extended(std::string_view type) {
  return type == "played" || type == "undone" || type == "redone" || type == "started" ||
         type == "start" || type == "undo_to" || type == "roll";
}

/// The schema version of a body that has just been begun.
std::int32_t read_schema(Reader& reader, std::string_view type) {
  const auto schema = reader.number<std::int32_t>(0, max_index);
  const bool is_known =
      schema == plain_schema || (schema == extended_schema && may_be_extended(type));
  if (!is_known)
    reader.fail("schema version " + std::to_string(schema) + " of \"" + std::string(type) +
                "\" isn't known");
  return schema;
}

Event read_event(Reader& reader) {
  reader.next();
  const std::string_view type = reader.begin_body();
  const std::int32_t schema = read_schema(reader, type);
  Event event;
  if (type == "played")
    event = read_fields<TurnPlayed>(reader, schema);
  else if (type == "undone")
    event = read_fields<TurnUndone>(reader, schema);
  else if (type == "redone")
    event = read_fields<TurnRedone>(reader, schema);
  else if (type == "started")
    event = read_started(reader, schema);
  else
    reader.fail("an event of type \"" + std::string(type) + "\" isn't known");
  reader.close();
  reader.expect('}');
  return event;
}

/// Reads most events, turns with nothing out of the ordinary, in a third of the time. It leaves all
/// other events, and any other spelling, to Reader, which can name the fault.
class UsualTurnReader {
 public:
  explicit UsualTurnReader(std::string_view json) : at_(json.data()), end_(at_ + json.size()) {}

  /// Reads a list with one such event.
  bool read(TurnPlayed& turn) {
    return take("[{\"played\":[1,") && number(turn.turn, 1, max_number) && take(',') &&
           seat(turn.seat) && take(",[") && dice(turn.dice) && rolled(turn.rolled) &&
           number(turn.from, 0, max_cell) && take(',') && number(turn.landed, 0, max_cell) &&
           take(',') && number(turn.to, 0, max_cell) && take(",\"") && outcome(turn.outcome) &&
           take("\",") && next(turn.next) && take(',') && number(turn.previous, 0, max_number) &&
           take("]}]") && at_ == end_;
  }

 private:
  bool take(char byte) {
    if (at_ == end_ || *at_ != byte) return false;
    ++at_;
    return true;
  }
  /// Inlined, so that the size of a literal is known at compile time and the comparison is no call.
  [[gnu::always_inline]] bool take(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size() ||
        std::memcmp(at_, text.data(), text.size()) != 0)
      return false;
    at_ += text.size();
    return true;
  }

  template <std::integral Number>
  bool number(Number& number, std::int64_t low, std::int64_t high) {
    constexpr std::ptrdiff_t most_digits = 18;  // more might not fit
    const char* const first = at_;
    std::int64_t value = 0;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9' && at_ - first < most_digits; ++at_)
      value = value * 10 + (*at_ - '0');
    if (at_ == first || (*first == '0' && at_ - first > 1) || value < low || value > high)
      return false;
    number = static_cast<Number>(value);
    return true;
  }

  bool seat(Seat& seat) { return number(seat, 0, std::int64_t{max_players} - 1); }

  bool dice(Dice& dice) {
    std::array<std::int32_t, max_dice> values{};
    std::size_t count = 0;
    do {
      if (count == max_dice || !number(values[count], 1, max_faces)) return false;
      ++count;
    } while (take(','));
    dice = Dice(std::span(values).first(count));
    return take("],");
  }

  bool rolled(bool& rolled) {
    rolled = take("true,");
    return rolled || take("false,");
  }

  bool outcome(Outcome& outcome) {
    for (const Outcome usual :
         {Outcome::moved, Outcome::blocked, Outcome::forfeited, Outcome::won}) {
      outcome = usual;
      if (take(to_string(usual))) return true;
    }
    return false;
  }

  bool next(std::optional<Seat>& next) { return take("null") || seat(next.emplace()); }

  const char* at_;
  const char* end_;
};

/// Appends the turn, if the text is one.
bool read_usual_turn(std::vector<Event>& events, std::string_view json) {
  Event& event = events.emplace_back(std::in_place_type<TurnPlayed>);
  if (UsualTurnReader(json).read(std::get<TurnPlayed>(event))) return true;
  events.pop_back();
  return false;
}

UndoToTurn read_undo_to(Reader& reader, std::int32_t schema) {
  UndoToTurn undo{.turn = reader.number<Turn>(0, max_number)};
  if (schema == plain_schema) return undo;
  Takeback& takeback = undo.takeback.emplace();
  takeback.asked = read_seat(reader);
  takeback.agreed = read_seat_set(reader);
  return undo;
}

RollTurn read_roll(Reader& reader, std::int32_t schema) {
  if (schema == plain_schema) return {};
  const std::string_view name = reader.name();
  const auto roller = value_named(roller_names, name);
  if (!roller)
    reader.fail("\"" + std::string(name) + "\" isn't a reason to roll for a player: it must be " +
                alternatives(roller_names));
  return {.by = roller.value_or(Roller::player)};
}

Command read_command(Reader& reader) {
  const std::string_view type = reader.begin_body();
  const std::int32_t schema = read_schema(reader, type);
  Command command;
  if (type == "play") {
    const Seat seat = read_seat(reader);
    command = PlayTurn{seat, read_dice(reader)};
  } else if (type == "roll") {
    command = read_roll(reader, schema);
  } else if (type == "undo") {
    command = UndoTurns{reader.number<Turn>(1, max_number)};
  } else if (type == "undo_to") {
    command = read_undo_to(reader, schema);
  } else if (type == "redo") {
    command = RedoTurns{reader.number<Turn>(1, max_number)};
  } else if (type == "start") {
    command = StartGame{read_setup(reader, schema)};
  } else {
    reader.fail("a command of type \"" + std::string(type) + "\" isn't known");
  }
  reader.close();
  return command;
}

}  // namespace

std::string encode(const Command& command, const std::optional<std::string>& id) {
  std::string json;
  std::visit([&](const auto& body) { write_body(json, body); }, command);
  if (id) {
    json += ",\"id\":";
    append_json_string(json, *id);
  }
  json += '}';
  return json;
}

void encode_to(std::string& json, const Event& event) {
  std::visit([&](const auto& body) { write_body(json, body); }, event);
  json += '}';
}

void encode_to(std::string& json, std::span<const Event> events) {
  json += '[';
  for (const Event& event : events) {
    if (&event != events.data()) json += ',';
    encode_to(json, event);
  }
  json += ']';
}

/// The result has no spare capacity: a recorder of a long game keeps many of them.
std::string encode(std::span<const Event> events) {
  static thread_local std::string json;
  json.clear();
  encode_to(json, events);
  return {json.data(), json.size()};
}

std::expected<RecordedCommand, Unreadable> decode_command(std::string_view json) {
  Reader reader(json);
  RecordedCommand recorded{.command = read_command(reader), .id = std::nullopt};
  if (reader.take(",\"id\":")) {
    recorded.id = reader.first_string();
    if (const auto fault = fault_of_name(*recorded.id); fault && reader.ok())
      reader.fail("the command ID " + *fault);
  }
  reader.expect('}');
  if (!reader.at_end()) reader.fail("something follows the command");
  if (!reader.ok())
    return std::unexpected(Unreadable{"the command can't be read: " + reader.why()});
  return recorded;
}

std::expected<void, Unreadable> decode_events_to(std::vector<Event>& events,
                                                 std::string_view json) {
  if (read_usual_turn(events, json)) return {};
  Reader reader(json);
  reader.open();
  do {
    events.push_back(read_event(reader));
    // `started` holds a whole board: a list of many would be a way to fill the memory.
    if (std::holds_alternative<GameStarted>(events.back()) && !reader.closes())
      reader.fail("a game that starts is the only event of its command");
  } while (!reader.closes());
  reader.close();
  if (!reader.at_end()) reader.fail("something follows the events");
  if (!reader.ok()) return std::unexpected(Unreadable{"the events can't be read: " + reader.why()});
  return {};
}

std::expected<std::vector<Event>, Unreadable> decode_events(std::string_view json) {
  std::vector<Event> events;
  auto decoded = decode_events_to(events, json);
  if (!decoded) return std::unexpected(std::move(decoded).error());
  return events;
}

void append_json_string(std::string& json, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  json += '"';
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      json += '\\';
      json += byte;
    } else if (code < 0x20) {
      json += "\\u00";
      json += hex[code >> 4U];
      json += hex[code & 0xFU];
    } else {
      json += byte;
    }
  }
  json += '"';
}

std::string encode(const GameState& state) {
  std::string json;
  Writer writer(json);
  writer.open().value(state.position.turn);
  writer.value(state.position, state.players(), fields_of(*state.setup));
  writer.value(state.index).value(state.last_turn);
  writer.value(state.redo.version).value(state.redo.index).value(state.redoable).close();
  return json;
}

std::optional<GameState> decode_state(std::string_view json,
                                      std::shared_ptr<const GameSetup> setup) {
  Reader reader(json);
  GameState state;
  reader.open();
  state.position.turn = reader.number<Turn>(0, max_number);
  read_places(reader, state.position, setup->players.size(), fields_of(*setup));
  state.index = reader.number<std::int32_t>(0, max_index);
  state.last_turn = read_version(reader);
  state.redo = {read_version(reader), reader.number<std::int32_t>(0, max_index)};
  state.redoable = reader.number<Turn>(0, max_number);
  reader.close();
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  state.setup = std::move(setup);
  return state;
}

}  // namespace snl
