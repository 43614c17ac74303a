#include "sqlite_rooms.hpp"

#include "storage/room_words.hpp"
#include "store_file.hpp"
#include "store_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace snl {

using sqlite::Blob;
using sqlite::Connection;
using sqlite::default_busy_timeout_ms;
using sqlite::ResetAtEnd;
using sqlite::Statement;

namespace {

constexpr std::string_view room_columns =
    "SELECT id, changed, created, stage, host_token, request, private, dice, takebacks, board, "
    "start, finish, throws, faces, sixes, places, secret, given_up, question, asked_by, asked_to, "
    "asked_at, agreed, outcome, room FROM rooms WHERE id = ?1";
constexpr int key_column = 24;

std::optional<RoomQuestion> question_at(const Statement& row, const std::string& id) {
  constexpr int first = 18;
  if (row.is_null(first)) return std::nullopt;
  RoomQuestion question{.id = row.integer(first),
                        .by = static_cast<Seat>(row.integer(first + 1)),
                        .to = row.integer(first + 2),
                        .asked_at = row.integer(first + 3),
                        .agreed = room_words::seats_of(row.integer(first + 4))};
  if (!row.is_null(first + 5))
    question.outcome = room_words::value_of(room_words::outcomes, row.text(first + 5), id);
  return question;
}

Rules rules_at(const Statement& row, const std::string& id) {
  const auto finish = value_named(finish_names, row.text(11));
  const auto sixes = value_named(sixes_names, row.text(14));
  if (!finish || !sixes) room_words::refuse_room(id, "its rules can't be read");
  Rules rules{.start = static_cast<Cell>(row.integer(10)),
              .finish = *finish,
              .dice = static_cast<std::int32_t>(row.integer(12)),
              .faces = static_cast<std::int32_t>(row.integer(13)),
              .sixes = *sixes};
  if (!faults_of(rules).empty()) room_words::refuse_room(id, "its rules can't be");
  return rules;
}

/// All but its seats, of which it has as many as places.
Room room_at(const Statement& row) {
  Room room{
      .id = std::string(row.text(0)),
      .changed = row.integer(1),
      .created = row.integer(2),
      .host_token = hash_at(row, 4),
      .request = hash_at(row, 5),
      .visibility = row.integer(6) != 0 ? Room::Visibility::by_its_id : Room::Visibility::in_lists,
      .board = std::string(row.text(9))};
  room.stage = room_words::value_of(room_words::stages, row.text(3), room.id);
  room.dice = room_words::value_of(room_words::dice_words, row.text(7), room.id);
  room.takebacks = room_words::value_of(room_words::takeback_words, row.text(8), room.id);
  room.rules = rules_at(row, room.id);
  const std::int64_t places = row.integer(15);
  if (places < static_cast<std::int64_t>(min_players) ||
      places > static_cast<std::int64_t>(max_players))
    room_words::refuse_room(room.id, "it has no such number of places");
  room.seats.resize(static_cast<std::size_t>(places));
  if (const auto secret = optional_hash_at(row, 16)) room.secret.emplace(*secret);
  if (!row.is_null(17))
    room.given_up = room_words::value_of(room_words::given_up_words, row.text(17), room.id);
  room.question = question_at(row, room.id);
  return room;
}

RoomSeat seat_at(const Statement& row) {
  return {.name = std::string(row.text(1)),
          .token = hash_at(row, 2),
          .tokens = row.integer(3),
          .entropy_hash = optional_hash_at(row, 4),
          .entropy = optional_hash_at(row, 5)};
}

void bind_hash(Statement& statement, int index, const std::optional<Hash>& hash) {
  if (hash)
    statement.bind(index, Blob(*hash));
  else
    statement.bind_null(index);
}

// What is bound must outlive the step: texts and blobs are bound as they stand there.

void bind_question(Statement& statement, int first, const std::optional<RoomQuestion>& question) {
  if (!question) {
    for (int index = first; index < first + 6; ++index)
      statement.bind_null(index);
    return;
  }
  statement.bind(first, question->id)
      .bind(first + 1, std::int64_t{question->by})
      .bind(first + 2, question->to)
      .bind(first + 3, question->asked_at)
      .bind(first + 4, room_words::bits_of(question->agreed));
  if (question->outcome)
    statement.bind(first + 5, room_words::word_for(room_words::outcomes, *question->outcome));
  else
    statement.bind_null(first + 5);
}

/// What may change after a room was made; the parameters from ?1 on. Answers the next one.
int bind_changing(Statement& statement, const Room& room, std::int64_t change) {
  statement.bind(1, change)
      .bind(2, room_words::word_for(room_words::stages, room.stage))
      .bind(3, static_cast<std::int64_t>(room.seats.size()));
  if (room.secret)
    statement.bind(4, Blob(room.secret->to_keep()));
  else
    statement.bind_null(4);
  if (room.given_up)
    statement.bind(5, room_words::word_for(room_words::given_up_words, *room.given_up));
  else
    statement.bind_null(5);
  bind_question(statement, 6, room.question);
  return 12;
}

}  // namespace

std::unique_ptr<SqliteRooms> SqliteRooms::open(const std::string& path) {
  return std::make_unique<SqliteRooms>(open_store_to_write(path, default_busy_timeout_ms));
}

SqliteRooms::SqliteRooms(Connection connection)
    : connection_(std::move(connection)), checkpoints_(connection_) {}

Statement& SqliteRooms::use(std::optional<Statement>& statement, std::string_view sql) {
  if (!statement) statement.emplace(connection_, sql);
  return *statement;
}

// ---- Reading

std::optional<Room> SqliteRooms::room(const std::string& game) {
  Statement& row = use(room_, room_columns);
  const ResetAtEnd reset(row);  // until then it holds the moment, which is that of the seats too
  if (!row.bind(1, std::string_view(game)).step()) return std::nullopt;
  Room room = room_at(row);
  Statement& seats = use(seats_,
                         "SELECT seat, name, token, tokens, entropy_hash, entropy FROM room_seats "
                         "WHERE room = ?1 ORDER BY seat");
  const ResetAtEnd reset_seats(seats);
  seats.bind(1, row.integer(key_column));
  while (seats.step()) {
    const std::int64_t seat = seats.integer(0);
    if (seat < 0 || seat >= static_cast<std::int64_t>(room.seats.size()))
      room_words::refuse_room(room.id, "somebody sits in a seat that isn't there");
    room.seats[static_cast<std::size_t>(seat)] = seat_at(seats);
  }
  return room;
}

std::optional<std::string> SqliteRooms::hosted_by(const Hash& token) {
  Statement& row = use(hosted_by_, "SELECT id FROM rooms WHERE host_token = ?1");
  const ResetAtEnd reset(row);
  if (!row.bind(1, Blob(token)).step()) return std::nullopt;
  return std::string(row.text(0));
}

std::vector<RoomStore::Waiting> SqliteRooms::waiting(const std::optional<Waiting>& after,
                                                     std::size_t limit) {
  Statement& rows = use(waiting_,
                        "SELECT id, created FROM rooms WHERE stage <> 'started' "
                        "AND (created, id) < (?1, ?2) ORDER BY created DESC, id DESC LIMIT ?3");
  const ResetAtEnd reset(rows);
  const Waiting newest{.id = "", .created = max_time + 1};
  const Waiting& from = after ? *after : newest;
  rows.bind(1, from.created).bind(2, std::string_view(from.id));
  rows.bind(3, static_cast<std::int64_t>(std::min<std::size_t>(limit, 1U << 30U)));
  std::vector<Waiting> found;
  while (rows.step())
    found.push_back({std::string(rows.text(0)), rows.integer(1)});
  return found;
}

std::vector<std::optional<RoomStore::Listing>> SqliteRooms::listings(
    std::span<const std::string> games) {
  Statement& row = use(listing_, "SELECT private, given_up IS NOT NULL FROM rooms WHERE id = ?1");
  std::vector<std::optional<Listing>> found;
  found.reserve(games.size());
  for (const std::string& game : games) {
    const ResetAtEnd reset(row);
    std::optional<Listing>& listing = found.emplace_back();
    if (!row.bind(1, game).step()) continue;
    using enum Room::Visibility;
    listing = Listing{.visibility = row.integer(0) == 0 ? in_lists : by_its_id,
                      .given_up = row.integer(1) != 0};
  }
  return found;
}

std::int64_t SqliteRooms::count_waiting() {
  Statement& row = use(count_waiting_,
                       "SELECT count(*) FROM rooms WHERE stage <> 'started' AND given_up IS NULL");
  const ResetAtEnd reset(row);
  row.step();
  return row.integer(0);
}

std::vector<std::string> SqliteRooms::settled(std::size_t limit) {
  // Of those that wait, which have an index.
  Statement& rows = use(settled_,
                        "SELECT id FROM rooms WHERE stage <> 'started' AND stage = 'settled' "
                        "LIMIT ?1");
  const ResetAtEnd reset(rows);
  rows.bind(1, static_cast<std::int64_t>(limit));
  std::vector<std::string> found;
  while (rows.step())
    found.emplace_back(rows.text(0));
  return found;
}

std::vector<std::string> SqliteRooms::started_after(const std::string& after, std::size_t limit) {
  Statement& rows = use(started_after_,
                        "SELECT id FROM rooms WHERE stage = 'started' AND given_up IS NULL "
                        "AND id > ?1 ORDER BY id LIMIT ?2");
  const ResetAtEnd reset(rows);
  rows.bind(1, std::string_view(after)).bind(2, static_cast<std::int64_t>(limit));
  std::vector<std::string> found;
  while (rows.step())
    found.emplace_back(rows.text(0));
  return found;
}

std::int64_t SqliteRooms::last_change() {
  Statement& row = use(last_change_, "SELECT number FROM room_changes WHERE one = 1");
  const ResetAtEnd reset(row);
  if (!row.step())
    throw StoreError(StoreError::Cause::damaged,
                     fmt::format("store {}: its changes of rooms aren't counted; restore a copy",
                                 connection_.path()));
  return row.integer(0);
}

std::vector<RoomStore::Changed> SqliteRooms::changed_after(std::int64_t after, std::size_t limit) {
  Statement& rows = use(changed_after_,
                        "SELECT id, changed FROM rooms WHERE changed > ?1 ORDER BY changed "
                        "LIMIT ?2");
  const ResetAtEnd reset(rows);
  rows.bind(1, after).bind(2, static_cast<std::int64_t>(limit));
  std::vector<Changed> found;
  while (rows.step())
    found.push_back({std::string(rows.text(0)), rows.integer(1)});
  return found;
}

// ---- Writing

void SqliteRooms::in_transaction(const std::function<void()>& work) {
  sqlite::Transaction transaction(connection_);
  work();
  connection_.require_to_commit();
  transaction.commit();
  checkpoints_.make_if_due();
}

std::vector<std::optional<std::int64_t>> SqliteRooms::keep(std::span<const Room> rooms) {
  std::vector<std::optional<std::int64_t>> changes;
  in_transaction([&] {
    for (const Room& room : rooms)
      changes.push_back(keep_one(room));
  });
  return changes;
}

std::int64_t SqliteRooms::next_change() {
  use(count_change_, "UPDATE room_changes SET number = number + 1 WHERE one = 1").run();
  return last_change();
}

namespace {

constexpr std::string_view insert_room =
    "INSERT INTO rooms (changed, stage, places, secret, given_up, question, asked_by, asked_to, "
    "asked_at, agreed, outcome, id, created, host_token, request, private, dice, takebacks, board, "
    "start, finish, throws, faces, sixes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
    "?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)";

constexpr std::string_view update_room =
    "UPDATE rooms SET changed = ?1, stage = ?2, places = ?3, secret = ?4, given_up = ?5, "
    "question = ?6, asked_by = ?7, asked_to = ?8, asked_at = ?9, agreed = ?10, outcome = ?11 "
    "WHERE id = ?12";

}  // namespace

std::optional<std::int64_t> SqliteRooms::keep_one(const Room& room) {
  Statement& there = use(key_, "SELECT room, changed FROM rooms WHERE id = ?1");
  std::int64_t key = 0;
  std::int64_t changed = 0;
  {
    const ResetAtEnd reset(there);
    if (there.bind(1, std::string_view(room.id)).step()) {
      key = there.integer(0);
      changed = there.integer(1);
    }
  }
  if (changed != room.changed) return std::nullopt;
  if (key == 0 && hosted_by(room.host_token)) return std::nullopt;
  const std::int64_t change = next_change();
  if (key != 0) {
    Statement& update = use(update_, update_room);
    const int next = bind_changing(update, room, change);
    update.bind(next, std::string_view(room.id)).run();
  } else {
    Statement& insert = use(insert_, insert_room);
    const int next = bind_changing(insert, room, change);
    const Rules& rules = room.rules;
    const std::string finish(to_string(rules.finish));
    const std::string sixes(to_string(rules.sixes));
    insert.bind(next, std::string_view(room.id))
        .bind(next + 1, room.created)
        .bind(next + 2, Blob(room.host_token))
        .bind(next + 3, Blob(room.request))
        .bind(next + 4, std::int64_t{room.visibility == Room::Visibility::by_its_id})
        .bind(next + 5, room_words::word_for(room_words::dice_words, room.dice))
        .bind(next + 6, room_words::word_for(room_words::takeback_words, room.takebacks))
        .bind(next + 7, std::string_view(room.board))
        .bind(next + 8, std::int64_t{rules.start})
        .bind(next + 9, std::string_view(finish))
        .bind(next + 10, std::int64_t{rules.dice})
        .bind(next + 11, std::int64_t{rules.faces})
        .bind(next + 12, std::string_view(sixes))
        .run();
    const ResetAtEnd reset(there);
    there.bind(1, std::string_view(room.id)).step();
    key = there.integer(0);
  }
  keep_seats(key, room);
  return change;
}

void SqliteRooms::keep_seats(std::int64_t key, const Room& room) {
  use(delete_seats_, "DELETE FROM room_seats WHERE room = ?1").bind(1, key).run();
  Statement& insert =
      use(insert_seat_,
          "INSERT INTO room_seats (room, seat, name, token, tokens, entropy_hash, entropy) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (std::size_t seat = 0; seat < room.seats.size(); ++seat) {
    if (!room.seats[seat]) continue;
    const RoomSeat& taken = *room.seats[seat];
    insert.bind(1, key)
        .bind(2, static_cast<std::int64_t>(seat))
        .bind(3, std::string_view(taken.name))
        .bind(4, Blob(taken.token))
        .bind(5, taken.tokens);
    bind_hash(insert, 6, taken.entropy_hash);
    bind_hash(insert, 7, taken.entropy);
    insert.run();
  }
}

bool SqliteRooms::forget(const std::string& game, std::int64_t changed) {
  bool forgotten = false;
  in_transaction([&] {
    use(forget_, "DELETE FROM rooms WHERE id = ?1 AND changed = ?2")
        .bind(1, std::string_view(game))
        .bind(2, changed)
        .run();
    forgotten = connection_.changes() > 0;
    if (forgotten) next_change();
  });
  return forgotten;
}

}  // namespace snl
