// The JSON of commands and events, exactly as it is stored, hashed and exported.
//
// The form is canonical: one value has one text, to the byte (storage/format.md has the grammar).
// The reader accepts that text and nothing else, which also makes it fast.
#pragma once

#include "domain/game.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The log's name for its hash format; part of every game's first event.
inline constexpr std::string_view hash_format = "sha256-1";

/// Why a text isn't a command or a list of events, as a sentence. It names an unknown type or
/// schema version.
struct Unreadable {
  std::string why;
};

struct RecordedCommand {
  Command command;
  std::optional<std::string> id;  // the idempotency key that its sender gave
};

std::string encode(const Command& command, const std::optional<std::string>& id = std::nullopt);
std::string encode(std::span<const Event> events);

/// These append to `json`, so that a caller can reuse a buffer: a list of events, or one event
/// alone.
void encode_to(std::string& json, std::span<const Event> events);
void encode_to(std::string& json, const Event& event);

std::expected<RecordedCommand, Unreadable> decode_command(std::string_view json);

/// At least one event. Older schema versions are upcast to today's.
std::expected<std::vector<Event>, Unreadable> decode_events(std::string_view json);

/// The same, appended to `events`.
std::expected<void, Unreadable> decode_events_to(std::vector<Event>& events, std::string_view json);

/// Appends a text as a quoted JSON string. Control characters are escaped, as a backslash and
/// u00XX.
void append_json_string(std::string& json, std::string_view text);

/// A state without its setup and its version. Decoding returns none if the text
/// isn't a state of a game with this setup; the version of the decoded state is 0.
std::string encode(const GameState& state);
std::optional<GameState> decode_state(std::string_view json,
                                      std::shared_ptr<const GameSetup> setup);

}  // namespace snl
