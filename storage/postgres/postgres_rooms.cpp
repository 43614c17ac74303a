#include "postgres_rooms.hpp"

#include "retry.hpp"
#include "storage/room_words.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <unordered_map>
#include <utility>

namespace snl {

using postgres::Rows;
using postgres::ServerConnection;
using postgres::ServerError;
using postgres::ServerStatement;
using postgres::Values;

namespace {

// ---- Rows

/// A room and its seats, which are of one moment so: a row for each seat that is taken, one without
/// a seat where none is.
constexpr ServerStatement read_room{
    "read_room",
    "SELECT r.id, r.changed, r.created, r.stage, r.host_token, r.request, r.private, r.dice, "
    "r.takebacks, r.board, r.start, r.finish, r.throws, r.faces, r.sixes, r.places, r.secret, "
    "r.given_up, r.question, r.asked_by, r.asked_to, r.asked_at, r.agreed, r.outcome, "
    "s.seat, s.name, s.token, s.tokens, s.entropy_hash, s.entropy "
    "FROM snl.rooms r LEFT JOIN snl.room_seats s ON s.room = r.room WHERE r.id = $1"};

std::optional<RoomQuestion> question_in(const Rows& rows, const std::string& id) {
  constexpr int first = 18;
  if (rows.is_null(0, first)) return std::nullopt;
  RoomQuestion question{.id = rows.integer(0, first),
                        .by = static_cast<Seat>(rows.integer(0, first + 1)),
                        .to = rows.integer(0, first + 2),
                        .asked_at = rows.integer(0, first + 3),
                        .agreed = room_words::seats_of(rows.integer(0, first + 4))};
  if (!rows.is_null(0, first + 5))
    question.outcome = room_words::value_of(room_words::outcomes, rows.text(0, first + 5), id);
  return question;
}

Rules rules_in(const Rows& rows, const std::string& id) {
  const auto finish = finish_named(rows.text(0, 11));
  const auto sixes = sixes_named(rows.text(0, 14));
  if (!finish || !sixes) room_words::refuse_room(id, "its rules can't be read");
  Rules rules{.start = static_cast<Cell>(rows.integer(0, 10)),
              .finish = *finish,
              .dice = static_cast<std::int32_t>(rows.integer(0, 12)),
              .faces = static_cast<std::int32_t>(rows.integer(0, 13)),
              .sixes = *sixes};
  if (!faults_of(rules).empty()) room_words::refuse_room(id, "its rules can't be");
  return rules;
}

void seat_into(Room& room, const Rows& rows, int row) {
  constexpr int first = 24;
  if (rows.is_null(row, first)) return;
  const std::int64_t seat = rows.integer(row, first);
  if (seat < 0 || seat >= static_cast<std::int64_t>(room.seats.size()))
    room_words::refuse_room(room.id, "somebody sits in a seat that isn't there");
  room.seats[static_cast<std::size_t>(seat)] =
      RoomSeat{.name = std::string(rows.text(row, first + 1)),
               .token = rows.hash(row, first + 2),
               .tokens = rows.integer(row, first + 3),
               .entropy_hash = rows.optional_hash(row, first + 4),
               .entropy = rows.optional_hash(row, first + 5)};
}

Room room_in(const Rows& rows) {
  Room room{
      .id = std::string(rows.text(0, 0)),
      .changed = rows.integer(0, 1),
      .created = rows.integer(0, 2),
      .host_token = rows.hash(0, 4),
      .request = rows.hash(0, 5),
      .visibility = rows.boolean(0, 6) ? Room::Visibility::by_its_id : Room::Visibility::in_lists,
      .board = std::string(rows.text(0, 9))};
  room.stage = room_words::value_of(room_words::stages, rows.text(0, 3), room.id);
  room.dice = room_words::value_of(room_words::dice_words, rows.text(0, 7), room.id);
  room.takebacks = room_words::value_of(room_words::takeback_words, rows.text(0, 8), room.id);
  room.rules = rules_in(rows, room.id);
  const std::int64_t places = rows.integer(0, 15);
  if (places < static_cast<std::int64_t>(min_players) ||
      places > static_cast<std::int64_t>(max_players))
    room_words::refuse_room(room.id, "it has no such number of places");
  room.seats.resize(static_cast<std::size_t>(places));
  if (const auto secret = rows.optional_hash(0, 16)) room.secret.emplace(*secret);
  if (!rows.is_null(0, 17))
    room.given_up = room_words::value_of(room_words::given_up_words, rows.text(0, 17), room.id);
  room.question = question_in(rows, room.id);
  for (int row = 0; row < rows.size(); ++row)
    seat_into(room, rows, row);
  return room;
}

/// What may change after a room was made: the parameters from $1 to $11.
void add_changing(Values& values, const Room& room, std::int64_t change) {
  values.add(change)
      .add(room_words::word_for(room_words::stages, room.stage))
      .add(static_cast<std::int64_t>(room.seats.size()));
  if (room.secret)
    values.add(room.secret->to_keep());
  else
    values.add_null();
  if (room.given_up)
    values.add(room_words::word_for(room_words::given_up_words, *room.given_up));
  else
    values.add_null();
  if (!room.question) {
    for (int column = 0; column < 6; ++column)
      values.add_null();
    return;
  }
  const RoomQuestion& question = *room.question;
  values.add(question.id)
      .add(std::int64_t{question.by})
      .add(question.to)
      .add(question.asked_at)
      .add(room_words::bits_of(question.agreed));
  if (question.outcome)
    values.add(room_words::word_for(room_words::outcomes, *question.outcome));
  else
    values.add_null();
}

/// How long what may help itself is tried again.
constexpr std::chrono::seconds budget{10};

}  // namespace

PostgresRooms::PostgresRooms(std::string location) : location_(std::move(location)) {
  connect();
}

void PostgresRooms::connect() {
  connection_.reset();
  connection_.emplace(location_, ServerConnection::Use::write);
  postgres::upgrade(*connection_, postgres::server_migrations());
}

/// What `read` answers; again, for a while, where that may help.
template <class Read>
auto PostgresRooms::reading(const Read& read) {
  return postgres::retry(connection_, budget, [&] { connect(); }, read);
}

// ---- Reading

std::optional<Room> PostgresRooms::room(const std::string& game) {
  return reading([&](ServerConnection& connection) -> std::optional<Room> {
    const Rows rows = connection.run(read_room, Values().add(game));
    if (rows.empty()) return std::nullopt;
    return room_in(rows);
  });
}

std::optional<std::string> PostgresRooms::hosted_by(const Hash& token) {
  static constexpr ServerStatement find{"hosted_by",
                                        "SELECT id FROM snl.rooms WHERE host_token = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<std::string> {
    const Rows rows = connection.run(find, Values().add(token));
    if (rows.empty()) return std::nullopt;
    connection.confirm(budget);
    return std::string(rows.text(0, 0));
  });
}

std::vector<RoomStore::Waiting> PostgresRooms::waiting(const std::optional<Waiting>& after,
                                                       std::size_t limit) {
  static constexpr ServerStatement find{
      "waiting",
      "SELECT id, created FROM snl.rooms WHERE stage <> 'started' "
      "AND (created, id) < ($1::bigint, $2) ORDER BY created DESC, id DESC LIMIT $3::bigint"};
  const Waiting newest{.id = "", .created = max_time + 1};
  const Waiting& from = after ? *after : newest;
  return reading([&](ServerConnection& connection) {
    const Rows rows = connection.run(
        find, Values().add(from.created).add(from.id).add(postgres::limit_of(limit)));
    std::vector<Waiting> found;
    found.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row)
      found.push_back({std::string(rows.text(row, 0)), rows.integer(row, 1)});
    return found;
  });
}

std::vector<std::optional<RoomStore::Listing>> PostgresRooms::listings(
    std::span<const std::string> games) {
  // No ID has a line's end in it.
  static constexpr ServerStatement find{"listings",
                                        "SELECT id, private, given_up IS NOT NULL FROM snl.rooms "
                                        "WHERE id = ANY (string_to_array($1, E'\\n'))"};
  return reading([&](ServerConnection& connection) {
    const Rows rows = connection.run(find, Values().add(fmt::format("{}", fmt::join(games, "\n"))));
    std::unordered_map<std::string_view, Listing> known;
    for (int row = 0; row < rows.size(); ++row) {
      using enum Room::Visibility;
      known[rows.text(row, 0)] = {.visibility = rows.boolean(row, 1) ? by_its_id : in_lists,
                                  .given_up = rows.boolean(row, 2)};
    }
    std::vector<std::optional<Listing>> found;
    found.reserve(games.size());
    for (const std::string& game : games) {
      const auto entry = known.find(game);
      found.push_back(entry == known.end() ? std::nullopt : std::optional(entry->second));
    }
    return found;
  });
}

std::int64_t PostgresRooms::count_waiting() {
  static constexpr ServerStatement count{
      "count_waiting",
      "SELECT count(*) FROM snl.rooms WHERE stage <> 'started' AND given_up IS NULL"};
  return reading([&](ServerConnection& connection) { return connection.run(count).integer(0, 0); });
}

std::vector<std::string> PostgresRooms::settled(std::size_t limit) {
  static constexpr ServerStatement find{
      "settled",
      "SELECT id FROM snl.rooms WHERE stage <> 'started' AND stage = 'settled' LIMIT $1::bigint"};
  return reading([&](ServerConnection& connection) {
    return postgres::texts_in(connection.run(find, Values().add(postgres::limit_of(limit))));
  });
}

std::vector<std::string> PostgresRooms::started_after(const std::string& after, std::size_t limit) {
  static constexpr ServerStatement find{
      "started_after",
      "SELECT id FROM snl.rooms WHERE stage = 'started' AND given_up IS NULL AND id > $1 "
      "ORDER BY id LIMIT $2::bigint"};
  return reading([&](ServerConnection& connection) {
    return postgres::texts_in(
        connection.run(find, Values().add(after).add(postgres::limit_of(limit))));
  });
}

std::int64_t PostgresRooms::last_change() {
  static constexpr ServerStatement find{"last_change",
                                        "SELECT number FROM snl.room_changes WHERE one = 1"};
  return reading([&](ServerConnection& connection) {
    const Rows rows = connection.run(find);
    if (rows.empty())
      throw StoreError(StoreError::Cause::damaged,
                       fmt::format("store {}: its changes of rooms aren't counted; restore a copy",
                                   connection.name()));
    return rows.integer(0, 0);
  });
}

std::vector<RoomStore::Changed> PostgresRooms::changed_after(std::int64_t after,
                                                             std::size_t limit) {
  static constexpr ServerStatement find{
      "changed_after",
      "SELECT id, changed FROM snl.rooms WHERE changed > $1::bigint "
      "ORDER BY changed LIMIT $2::bigint"};
  return reading([&](ServerConnection& connection) {
    const Rows rows = connection.run(find, Values().add(after).add(postgres::limit_of(limit)));
    std::vector<Changed> found;
    found.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row)
      found.push_back({std::string(rows.text(row, 0)), rows.integer(row, 1)});
    return found;
  });
}

// ---- Writing

/// Whoever changes rooms waits for who does already: so numbers of changes are in the order in
/// which they become visible.
template <class Work>
void PostgresRooms::in_transaction(const Work& work) {
  static constexpr ServerStatement lock{
      "lock_changes", "SELECT number FROM snl.room_changes WHERE one = 1 FOR UPDATE"};
  reading([](ServerConnection& connection) { return connection.execute("BEGIN"); });
  try {
    connection_->run(lock);
    work();
    try {
      connection_->execute("COMMIT");
    } catch (const ServerError& error) {
      if (error.remedy() != postgres::Remedy::confirm) throw;
      connection_->confirm(budget);
    }
  } catch (...) {
    connection_.reset();  // and with it the transaction
    throw;
  }
}

std::vector<std::optional<std::int64_t>> PostgresRooms::keep(std::span<const Room> rooms) {
  std::vector<std::optional<std::int64_t>> changes;
  if (rooms.empty()) return changes;
  in_transaction([&] {
    for (const Room& room : rooms)
      changes.push_back(keep_one(room));
  });
  return changes;
}

std::int64_t PostgresRooms::next_change() {
  static constexpr ServerStatement count{
      "count_change",
      "UPDATE snl.room_changes SET number = number + 1 WHERE one = 1 RETURNING number"};
  return connection_->run(count).integer(0, 0);
}

namespace {

constexpr ServerStatement insert_room{
    "insert_room",
    "INSERT INTO snl.rooms (changed, stage, places, secret, given_up, question, asked_by, "
    "asked_to, asked_at, agreed, outcome, id, created, host_token, request, private, dice, "
    "takebacks, board, start, finish, throws, faces, sixes) VALUES ($1, $2, $3, $4, $5, $6, $7, "
    "$8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24) "
    "RETURNING room"};

constexpr ServerStatement update_room{
    "update_room",
    "UPDATE snl.rooms SET changed = $1, stage = $2, places = $3, secret = $4, given_up = $5, "
    "question = $6, asked_by = $7, asked_to = $8, asked_at = $9, agreed = $10, outcome = $11 "
    "WHERE id = $12 RETURNING room"};

}  // namespace

std::optional<std::int64_t> PostgresRooms::keep_one(const Room& room) {
  static constexpr ServerStatement find{"room_change",
                                        "SELECT changed FROM snl.rooms WHERE id = $1"};
  static constexpr ServerStatement host{"room_of_host",
                                        "SELECT 1 FROM snl.rooms WHERE host_token = $1"};
  const Rows there = connection_->run(find, Values().add(room.id));
  if ((there.empty() ? 0 : there.integer(0, 0)) != room.changed) return std::nullopt;
  if (there.empty() && !connection_->run(host, Values().add(room.host_token)).empty())
    return std::nullopt;
  const std::int64_t change = next_change();
  Values values;
  add_changing(values, room, change);
  values.add(room.id);
  if (!there.empty()) {
    keep_seats(connection_->run(update_room, values).integer(0, 0), room);
    return change;
  }
  const Rules& rules = room.rules;
  const std::string finish = to_string(rules.finish);
  const std::string sixes = to_string(rules.sixes);
  values.add(room.created)
      .add(room.host_token)
      .add(room.request)
      .add_bool(room.visibility == Room::Visibility::by_its_id)
      .add(room_words::word_for(room_words::dice_words, room.dice))
      .add(room_words::word_for(room_words::takeback_words, room.takebacks))
      .add(room.board)
      .add(std::int64_t{rules.start})
      .add(finish)
      .add(std::int64_t{rules.dice})
      .add(std::int64_t{rules.faces})
      .add(sixes);
  keep_seats(connection_->run(insert_room, values).integer(0, 0), room);
  return change;
}

void PostgresRooms::keep_seats(std::int64_t key, const Room& room) {
  static constexpr ServerStatement clear{"clear_seats",
                                         "DELETE FROM snl.room_seats WHERE room = $1"};
  static constexpr ServerStatement insert{
      "insert_seat",
      "INSERT INTO snl.room_seats (room, seat, name, token, tokens, entropy_hash, entropy) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7)"};
  connection_->run(clear, Values().add(key));
  for (std::size_t seat = 0; seat < room.seats.size(); ++seat) {
    if (!room.seats[seat]) continue;
    const RoomSeat& taken = *room.seats[seat];
    connection_->run(insert, Values()
                                 .add(key)
                                 .add(static_cast<std::int64_t>(seat))
                                 .add(taken.name)
                                 .add(taken.token)
                                 .add(taken.tokens)
                                 .add_optional(taken.entropy_hash)
                                 .add_optional(taken.entropy));
  }
}

bool PostgresRooms::forget(const std::string& game, std::int64_t changed) {
  static constexpr ServerStatement remove{
      "forget_room", "DELETE FROM snl.rooms WHERE id = $1 AND changed = $2 RETURNING room"};
  bool forgotten = false;
  in_transaction([&] {
    forgotten = !connection_->run(remove, Values().add(game).add(changed)).empty();
    if (forgotten) next_change();
  });
  return forgotten;
}

}  // namespace snl
