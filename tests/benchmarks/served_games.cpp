#include "served_games.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <utility>

namespace snl::benchmarks {

ServedGame::ServedGame(HttpClients& clients) {
  namespace json = boost::json;
  const json::value made = json::parse(clients.ask_once(
      0, request_text("POST", "/api/games",
                      R"({"players":["A","B"],"board":{"cells":10000,"width":100}})")));
  path_ = fmt::format("/api/games/{}", std::string_view(made.at("id").as_string()));
  for (std::size_t seat = 0; seat < turn_.size(); ++seat)
    turn_[seat] = request_text("POST", path_ + "/turns", "{}",
                               std::string_view(made.at("seats").at(seat).at("token").as_string()));
}

const std::string& ServedGame::next_turn(std::string_view body) {
  if (!body.empty()) seat_ = body.contains(R"("next":"A")") ? 0 : 1;
  return turn_[seat_];
}

Table::Table(std::uint16_t port, std::size_t players) : clients_(port, players), bodies_(players) {
  for (std::size_t player = 0; player < players; ++player)
    games_.emplace_back(clients_);
}

void Table::play(std::size_t turns) {
  clients_.ask(turns, [&](std::size_t client, std::string_view body) {
    if (!body.empty()) bodies_[client] = body;
    return games_[client].next_turn(std::exchange(bodies_[client], {}));
  });
  // The client that had the last answer isn't known, so the state of each game is requested again.
  for (std::size_t client = 0; client < games_.size(); ++client)
    bodies_[client] = clients_.ask_once(client, request_text("GET", games_[client].path()));
}

}  // namespace snl::benchmarks
