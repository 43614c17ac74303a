// The request for a new game, POST /api/games: read and checked.
#pragma once

#include "game_settings.hpp"
#include "request_body.hpp"
#include "storage/hosted_games.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// A request whose members have the right types.
class NewGameRequest {
 public:
  /// Throws HttpProblem as RequestBody does.
  explicit NewGameRequest(const HttpRequest& request);

  const std::optional<std::string>& token() const { return token_; }
  Hash fingerprint() const { return body_.fingerprint(); }
  /// None in an open game.
  const std::optional<std::vector<std::string>>& players() const { return players_; }

  /// The hosted game that it asks for, with its free seats, but without ID, tokens and secret.
  /// Throws HttpProblem 422 with every fault of a board, of rules, of names.
  HostedGame hosted_game(const GameSettings& settings) const;

 private:
  struct AskedRules {
    std::optional<std::string> preset = std::nullopt;
    std::optional<std::int64_t> start = std::nullopt;
    std::optional<std::string> finish = std::nullopt;
    std::optional<std::int64_t> dice = std::nullopt;
    std::optional<std::int64_t> faces = std::nullopt;
    std::optional<std::string> sixes = std::nullopt;
    std::optional<std::vector<std::int64_t>> enter = std::nullopt;
    std::optional<std::string> meet = std::nullopt;
    std::optional<std::vector<std::int64_t>> safe = std::nullopt;
  };

  static AskedRules asked_rules(const RequestBody& body);
  Rules chosen_rules(std::string_view rules_of_board) const;

  RequestBody body_;
  std::optional<std::vector<std::string>> players_;
  std::optional<std::int64_t> open_;
  AskedRules rules_;
  std::optional<std::string> dice_;
  std::optional<std::string> takebacks_;
  bool is_private_ = false;
  std::optional<std::int64_t> pace_;
  std::optional<std::string> token_;
};

/// Throws HttpProblem 422 for a name that can't be a player's.
void check_name(const std::string& name);
/// Throws HttpProblem 422 for a text that can't be a token.
void check_token(const std::string& token);

/// The setup of version 1, of a hosted game whose seats are settled. It follows from the hosted
/// game alone, so a start that was cut in two is the same start again.
std::shared_ptr<const GameSetup> setup_of(const HostedGame& hosted);

}  // namespace snl::cli
