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
#include <type_traits>
#include <utility>
#include <variant>

namespace snl {
namespace {

/// The schema version of most types, and the one for effects, for a draw, for an agreed takeback
/// and for a roll in a player's place: see storage/format.md.
constexpr std::int32_t plain_schema = 1;
constexpr std::int32_t extended_schema = 2;

std::int32_t event_schema_of(const GameSetup& setup) {
  return has_effects(setup) || setup.draw ? extended_schema : plain_schema;
}

// ---- The fields of commands and events
//
// Each is named once: a Writer writes them, and a FieldReader or a UsualTurnReader reads them, in
// this order.

template <class Value, class Type>
concept Like = std::same_as<std::remove_const_t<Value>, Type>;

/// Numbers of turns and of cells share their types with others, but have their own limits.
template <class Number>
struct AsTurn {
  Number& number;
};
template <class Number>
struct AsCell {
  Number& number;
};

/// A value for a Writer, or a place for a reader to fill.
template <class Value>
const Value& there(const std::optional<Value>& value) {
  return *value;
}
template <class Value>
Value& there(std::optional<Value>& value) {
  return value.emplace();
}

/// Whether board, rules and origin have the fields of effects.
enum class Fields : std::uint8_t { plain, with_effects };

Fields fields_of(const GameSetup& setup) {
  return has_effects(setup) ? Fields::with_effects : Fields::plain;
}

void fields_of(Like<Rules> auto& rules, auto& json, Fields fields) {
  json.fields(AsCell(rules.start), rules.finish, rules.dice, rules.faces, rules.sixes);
  if (fields == Fields::with_effects) json.fields(rules.enter, rules.meet, rules.safe);
}

/// The pieces and the seat to move or the winner, but not the turn.
void fields_of(Like<Position> auto& position, auto& json, std::size_t players, Fields fields) {
  json.cells(std::span(position.cells).first(std::min(players, max_players)));
  json.fields(position.next, position.winner);
  if (fields == Fields::with_effects) json.fields(position.tallies.shields, position.tallies.skips);
}

void fields_of(Like<Origin> auto& origin, auto& json, std::size_t players, Fields fields) {
  json.fields(origin.game, origin.position.turn, origin.head);
  fields_of(origin.position, json, players, fields);
}

/// A setup with its board's description. Returns which fields there are.
Fields fields_of(Like<GameSetup> auto& setup, Like<BoardDescription> auto& board, auto& json) {
  json.fields(setup.players);
  json.open();
  json.fields(AsCell(board.cells), AsCell(there(board.width)), board.snakes, board.ladders);
  const bool with_effects = json.goes_on(has_effects(setup));
  if (with_effects) json.fields(board.powers);
  json.close();
  const Fields fields = with_effects ? Fields::with_effects : Fields::plain;
  json.open();
  fields_of(setup.rules, json, fields);
  json.close();
  json.fields(setup.seed);
  if (json.has(setup.origin)) {
    json.open();
    fields_of(there(setup.origin), json, setup.players.size(), fields);
    json.close();
  }
  if (json.goes_on(setup.draw.has_value())) {
    auto& draw = there(setup.draw);
    json.open();
    json.fields(draw.commitment, draw.secret, draw.entropy);
    json.close();
  }
  return fields;
}

void fields_of(Like<GameState> auto& state, auto& json, const GameSetup& setup) {
  json.fields(state.position.turn);
  fields_of(state.position, json, setup.players.size(), fields_of(setup));
  json.fields(state.index, state.last_turn, state.redo.version, state.redo.index, state.redoable);
}

void fields_of(Like<PlayTurn> auto& play, auto& json, std::int32_t /*schema*/) {
  json.fields(play.seat, play.dice);
}
void fields_of(Like<RollTurn> auto& roll, auto& json, std::int32_t schema) {
  if (schema == extended_schema) json.fields(roll.by);
}
void fields_of(Like<UndoTurns> auto& undo, auto& json, std::int32_t /*schema*/) {
  json.fields(AsTurn(undo.count));
}
void fields_of(Like<UndoToTurn> auto& undo, auto& json, std::int32_t schema) {
  json.fields(undo.turn);
  if (schema == plain_schema) return;
  auto& takeback = there(undo.takeback);
  json.fields(takeback.asked, takeback.agreed);
}
void fields_of(Like<RedoTurns> auto& redo, auto& json, std::int32_t /*schema*/) {
  json.fields(AsTurn(redo.count));
}

void fields_of(Like<StartGame> auto& start, auto& json, std::int32_t /*schema*/) {
  json.fields(start.setup);
}
void fields_of(Like<GameStarted> auto& started, auto& json, std::int32_t /*schema*/) {
  json.hash_format();
  json.fields(started.setup);
}

/// A turn with nothing out of the ordinary has no other fields.
void usual_fields_of(Like<TurnPlayed> auto& turn, auto& json) {
  json.fields(AsTurn(turn.turn), turn.seat, turn.dice, turn.rolled, AsCell(turn.from),
              AsCell(turn.landed), AsCell(turn.to), turn.outcome, turn.next, turn.previous);
}

void fields_of(Like<TurnPlayed> auto& turn, auto& json, std::int32_t schema) {
  usual_fields_of(turn, json);
  if (schema == plain_schema) return;
  auto& effects = there(turn.effects);
  json.fields(AsCell(effects.rest), effects.shielded, effects.captured, AsCell(effects.captured_to),
              effects.power, effects.swapped, effects.before.shields, effects.before.skips,
              effects.after.shields, effects.after.skips);
  json.missed(turn);
}

void fields_of_restored(auto& restored, auto& json) {
  json.fields(restored.captured, AsCell(restored.captured_to), restored.swapped,
              AsCell(restored.swapped_to), restored.tallies.shields, restored.tallies.skips);
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

// ---- Writing

/// A short text whose parts are known to fit. Most texts ever written are turns, and asking for
/// room before every comma takes three times as long.
class ShortText {
 public:
  void operator+=(char byte) { *end_++ = byte; }
  void operator+=(std::string_view text) { end_ = std::ranges::copy(text, end_).out; }
  void operator+=(std::int64_t number) {
    end_ = std::to_chars(end_, bytes_.data() + bytes_.size(), number).ptr;
  }
  std::string_view text() const { return {bytes_.data(), end_}; }

 private:
  /// Room for a turn: thirteen numbers of at most 20 characters, and fewer than 100 others.
  std::array<char, 384> bytes_;
  char* end_ = bytes_.data();
};

/// Writes lists and values, with commas between them, to a std::string or a ShortText.
template <class Text>
class Writer {
 public:
  explicit Writer(Text& json) : json_(json) {}

  void fields(const auto&... all) { (value(all), ...); }

  void open() {
    separate();
    json_ += '[';
    first_ = true;
  }
  void close() {
    json_ += ']';
    first_ = false;
  }
  /// Whether a value is there. Otherwise writes null.
  template <class Value>
  bool has(const std::optional<Value>& given) {
    if (!given) raw("null");
    return given.has_value();
  }
  /// Whether the list has more values, as the caller says.
  static bool goes_on(bool does) { return does; }

  void hash_format() { value(std::string_view(snl::hash_format)); }
  void cells(std::span<const Cell> cells) { list(cells); }
  void missed(const TurnPlayed& turn) { list(missed_after(turn)); }

 private:
  void raw(std::string_view text) {
    separate();
    json_ += text;
  }
  void value(std::integral auto number) {
    if constexpr (sizeof(number) < sizeof(std::int64_t)) {
      value(std::int64_t{number});  // the body is compiled once for all smaller types
    } else if constexpr (std::same_as<Text, ShortText>) {
      separate();
      json_ += number;
    } else {
      char digits[24];
      digits[0] = ',';
      const auto end = std::to_chars(std::begin(digits) + 1, std::end(digits), number).ptr;
      json_.append(first_ ? digits + 1 : digits, end);
      first_ = false;
    }
  }
  void value(bool yes) { raw(yes ? "true" : "false"); }
  void value(std::string_view text) {
    separate();
    append_json_string(json_, text);
  }
  /// A string without escapes.
  void name(std::string_view text) {
    separate();
    json_ += '"';
    json_ += text;
    json_ += '"';
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void value(Enum named) {
    name(to_string(named));
  }
  void value(Roller roller) { name(name_of(roller_names, roller)); }
  void value(const Draw::Bytes& bytes) { name(to_hex(bytes)); }
  template <class Value>
  void value(const std::optional<Value>& given) {
    if (has(given)) value(*given);
  }
  template <class Value>
  void value(const std::vector<Value>& values) {
    list(values);
  }
  void list(const auto& values) {
    open();
    for (const auto& each : values)
      value(each);
    close();
  }
  void value(const Dice& dice) {
    open();
    for (const std::int32_t die : dice.values())
      value(die);
    if (dice.size() > max_dice) value(0);  // so a cut list equals no other; it is never recorded
    close();
  }
  void value(const DescribedJump& jump) {
    open();
    fields(jump.from, jump.to);
    close();
  }
  void value(const Power& power) {
    open();
    value(power.kind);
    if (has_number(power.kind)) value(power.n);
    close();
  }
  void value(const DescribedPower& power) {
    open();
    fields(power.cell, power.kind);
    if (power.n) value(*power.n);
    close();
  }
  void value(const SeatSet& seats) {
    open();
    for (Seat seat = 0; seat < max_players; ++seat)
      if (seats.has(seat)) value(seat);
    close();
  }
  /// By seat, without the zeros at the end.
  void value(const SeatCounts& counts) {
    Seat end = max_players;
    while (end > 0 && counts.of(static_cast<Seat>(end - 1)) == 0)
      --end;
    open();
    for (Seat seat = 0; seat < end; ++seat)
      value(counts.of(seat));
    close();
  }
  void value(AsTurn<const Turn> turn) { value(turn.number); }
  template <class Number>
  void value(AsCell<const Number> cell) {
    value(cell.number);
  }
  void value(const std::shared_ptr<const GameSetup>& setup) {
    const BoardDescription board = description_of(setup->board);
    fields_of(*setup, board, *this);
  }

  void separate() {
    if (!first_) json_ += ',';
    first_ = false;
  }

  Text& json_;
  bool first_ = true;
};

/// {"type":[schema version,…], without the last brace.
void write_fields(auto& json, std::string_view type, const auto& body, std::int32_t schema) {
  json += "{\"";
  json += type;
  json += "\":";
  Writer writer(json);
  writer.open();
  writer.fields(schema);
  fields_of(body, writer, schema);
  writer.close();
}

std::int32_t schema_with(bool more) {
  return more ? extended_schema : plain_schema;
}

void write_body(std::string& json, const StartGame& start) {
  write_fields(json, "start", start, event_schema_of(*start.setup));
}
void write_body(std::string& json, const PlayTurn& play) {
  write_fields(json, "play", play, plain_schema);
}
void write_body(std::string& json, const RollTurn& roll) {
  write_fields(json, "roll", roll, schema_with(roll.by != Roller::player));
}
void write_body(std::string& json, const UndoTurns& undo) {
  write_fields(json, "undo", undo, plain_schema);
}
void write_body(std::string& json, const UndoToTurn& undo) {
  write_fields(json, "undo_to", undo, schema_with(undo.takeback.has_value()));
}
void write_body(std::string& json, const RedoTurns& redo) {
  write_fields(json, "redo", redo, plain_schema);
}
void write_body(std::string& json, const GameStarted& started) {
  write_fields(json, "started", started, event_schema_of(*started.setup));
}
/// Flattened, so that a usual turn is written without a call for each comma.
[[gnu::flatten]] void write_usual_turn(std::string& json, const TurnPlayed& turn) {
  ShortText text;
  write_fields(text, "played", turn, plain_schema);
  json += text.text();
}
void write_body(std::string& json, const TurnPlayed& turn) {
  if (!turn.effects) return write_usual_turn(json, turn);
  write_fields(json, "played", turn, extended_schema);
}
void write_body(std::string& json, const TurnUndone& turn) {
  write_fields(json, "undone", turn, schema_with(turn.restored.has_value()));
}
void write_body(std::string& json, const TurnRedone& turn) {
  write_fields(json, "redone", turn, schema_with(turn.restored.has_value()));
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
Cell read_cell(Reader& reader) {
  return reader.number<Cell>(0, max_cell);
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

std::shared_ptr<const GameSetup> read_setup(Reader& reader, std::int32_t schema);

class FieldReader {
 public:
  FieldReader(Reader& reader, std::int32_t schema) : reader_(reader), schema_(schema) {}

  void fields(auto&&... all) { (read(all), ...); }

  void open() { reader_.open(); }
  void close() { reader_.close(); }
  /// Whether a value is there, not null.
  bool has(const auto& /*place*/) { return !reader_.null(); }
  /// Whether the list has more values, which only the extended schema version allows.
  bool goes_on(bool /*does*/) { return schema_ == extended_schema && !reader_.closes(); }

  void hash_format() {
    const std::string format = reader_.string();
    if (format != snl::hash_format) reader_.fail("the hash format \"" + format + "\" isn't known");
  }
  void cells(std::span<Cell> cells) {
    reader_.open();
    for (Cell& cell : cells)
      cell = read_cell(reader_);
    reader_.close();
  }
  void missed(TurnPlayed& turn) { read_missed(reader_, turn); }

 private:
  void read(AsTurn<Turn> turn) { turn.number = reader_.number<Turn>(1, max_number); }
  template <class Number>
  void read(AsCell<Number> cell) {
    cell.number = read_cell(reader_);
  }
  void read(Version& version) { version = reader_.number<Version>(0, max_number); }
  void read(std::int32_t& index) { index = reader_.number<std::int32_t>(0, max_index); }
  void read(std::uint64_t& seed) {
    seed = reader_.number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max());
  }
  void read(Seat& seat) { seat = read_seat(reader_); }
  void read(bool& yes) { yes = reader_.boolean(); }
  void read(std::string& text) { text = reader_.string(); }
  void read(Dice& dice) { dice = read_dice(reader_); }
  void read(Outcome& outcome) { outcome = read_outcome(reader_, schema_); }
  void read(SeatSet& seats) { seats = read_seat_set(reader_); }
  void read(SeatCounts& counts) { counts = read_seat_counts(reader_); }
  void read(Power& power) {
    reader_.open();
    power = read_power(reader_);
    reader_.close();
  }
  template <class Value>
  void read(std::optional<Value>& value) {
    if (!reader_.null()) read(value.emplace());
  }
  void read(Finish& finish) { read_rule(finish, finish_names, "finish or sixes"); }
  void read(Sixes& sixes) { read_rule(sixes, sixes_names, "finish or sixes"); }
  void read(Meet& meet) { read_rule(meet, meet_names, "meet"); }
  void read_rule(auto& rule, const auto& names, std::string_view what) {
    const auto value = value_named(names, reader_.name());
    if (!value) reader_.fail("the rules have an unknown value of " + std::string(what));
    rule = value.value_or(rule);
  }
  void read(Roller& roller) {
    const std::string_view name = reader_.name();
    const auto value = value_named(roller_names, name);
    if (!value)
      reader_.fail("\"" + std::string(name) +
                   "\" isn't a reason to roll for a player: it must be " +
                   alternatives(roller_names));
    roller = value.value_or(Roller::player);
  }
  void read(std::vector<std::int32_t>& numbers) {
    read_list(reader_, [&] { numbers.push_back(reader_.number<std::int32_t>(0, max_cell)); });
  }
  void read(std::vector<std::string>& players) {
    read_list(reader_, [&] {
      if (players.size() == max_players) reader_.fail("there are more players than a game has");
      players.push_back(reader_.string());
    });
  }
  void read(std::vector<DescribedJump>& jumps) { jumps = read_jumps(reader_); }
  void read(std::vector<DescribedPower>& powers) { powers = read_powers(reader_); }
  void read(Draw::Bytes& bytes) {
    const auto found = hash_from_hex(reader_.name());
    if (!found) reader_.fail("64 hex digits are expected in a draw");
    bytes = found.value_or(Draw::Bytes{});
  }
  void read(std::vector<std::optional<Draw::Bytes>>& entropy) {
    read_list(reader_, [&] {
      if (entropy.size() == max_players)
        reader_.fail("there is more entropy than a game has players");
      read(entropy.emplace_back());
    });
  }
  void read(std::shared_ptr<const GameSetup>& setup) { setup = read_setup(reader_, schema_); }

  Reader& reader_;
  std::int32_t schema_;
};

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
  static const Board no_board = *Board::make({.cells = 2});
  auto setup =
      std::make_shared<GameSetup>(GameSetup{.players = {}, .board = no_board, .rules = {}});
  BoardDescription description;
  FieldReader json(reader, schema);
  const Fields fields = fields_of(*setup, description, json);
  if (const auto& origin = setup->origin;
      origin && (!is_game_id(origin->game) || !hash_from_hex(origin->head)))
    reader.fail("the origin doesn't name a game by a valid ID and head");
  if (!reader.ok()) return setup;
  auto board = Board::make(description);
  if (!board) {
    Faults faults = messages_of(board.error());
    std::ranges::move(faults_besides_board(setup->players, setup->rules),
                      std::back_inserter(faults));
    reader.fail("the board is invalid: " + in_a_line(faults));
    return setup;
  }
  setup->board = *std::move(board);
  if (auto fault = fault_of(*setup, fields, schema)) reader.fail(*std::move(fault));
  return setup;
}

template <class Body>
Body read_fields(Reader& reader, std::int32_t schema) {
  Body body;
  FieldReader fields(reader, schema);
  fields_of(body, fields, schema);
  return body;
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
    event = read_fields<GameStarted>(reader, schema);
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
    is_usual_ = take("[{\"played\":[1");
    usual_fields_of(turn, *this);
    return is_usual_ && take("]}]") && at_ == end_;
  }

  void fields(auto&&... all) { is_usual_ = is_usual_ && (... && (take(',') && read(all))); }

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

  bool read(AsTurn<Turn> turn) { return number(turn.number, 1, max_number); }
  bool read(AsCell<Cell> cell) { return number(cell.number, 0, max_cell); }
  bool read(Version& version) { return number(version, 0, max_number); }
  bool read(Seat& seat) { return number(seat, 0, std::int64_t{max_players} - 1); }
  bool read(std::optional<Seat>& seat) { return take("null") || read(seat.emplace()); }

  bool read(Dice& dice) {
    std::array<std::int32_t, max_dice> values{};
    std::size_t count = 0;
    if (!take('[')) return false;
    do {
      if (count == max_dice || !number(values[count], 1, max_faces)) return false;
      ++count;
    } while (take(','));
    dice = Dice(std::span(values).first(count));
    return take(']');
  }

  bool read(bool& yes) {
    yes = take("true");
    return yes || take("false");
  }

  bool read(Outcome& outcome) {
    if (!take('"')) return false;
    for (const Outcome usual :
         {Outcome::moved, Outcome::blocked, Outcome::forfeited, Outcome::won}) {
      outcome = usual;
      if (take(to_string(usual))) return take('"');
    }
    return false;
  }

  const char* at_;
  const char* end_;
  bool is_usual_ = false;
};

/// Appends the turn, if the text is one.
bool read_usual_turn(std::vector<Event>& events, std::string_view json) {
  Event& event = events.emplace_back(std::in_place_type<TurnPlayed>);
  if (UsualTurnReader(json).read(std::get<TurnPlayed>(event))) return true;
  events.pop_back();
  return false;
}

Command read_command(Reader& reader) {
  const std::string_view type = reader.begin_body();
  const std::int32_t schema = read_schema(reader, type);
  Command command;
  if (type == "play")
    command = read_fields<PlayTurn>(reader, schema);
  else if (type == "roll")
    command = read_fields<RollTurn>(reader, schema);
  else if (type == "undo")
    command = read_fields<UndoTurns>(reader, schema);
  else if (type == "undo_to")
    command = read_fields<UndoToTurn>(reader, schema);
  else if (type == "redo")
    command = read_fields<RedoTurns>(reader, schema);
  else if (type == "start")
    command = read_fields<StartGame>(reader, schema);
  else
    reader.fail("a command of type \"" + std::string(type) + "\" isn't known");
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
  writer.open();
  fields_of(state, writer, *state.setup);
  writer.close();
  return json;
}

std::optional<GameState> decode_state(std::string_view json,
                                      std::shared_ptr<const GameSetup> setup) {
  Reader reader(json);
  GameState state;
  reader.open();
  FieldReader fields(reader, plain_schema);
  fields_of(state, fields, *setup);
  reader.close();
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  state.setup = std::move(setup);
  return state;
}

}  // namespace snl
