// witness

#include "cli/server/network/address.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "cli/witness/witness_server.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "log_files.hpp"

#include <fmt/format.h>

#include <string>

namespace snl::cli {
namespace {

struct WitnessCommand {
  std::string key_file;
  std::string policy_file;
  std::string state;
  std::string listen = "127.0.0.1:8081";

  void run(Session& /*session*/) const {
    const auto where = parse_host_and_port(listen);
    if (!where)
      throw Failure(Exit::usage,
                    fmt::format("--listen {}: it isn't HOST:PORT, such as 127.0.0.1:8081 or "
                                "[::1]:0; give one",
                                listen));
    const transparency::Policy policy = read_policy(policy_file);
    const transparency::KeyFile key(key_file, transparency::KeyType::witness);
    transparency::Witness witness(key, policy, state);
    for (const auto& log : policy.logs())
      if (!witness.kept(to_hex(hash_of(log.name))))
        warn(fmt::format(
            "{} holds no record of {}; if this key has cosigned it before, put the record back",
            state, log.name));
    WitnessServer server(witness, where->host, where->port,
                         [](const std::string& what) { warn(what); });
    print_line(fmt::format("listening on http://{}", server.address()));
    flush();
    server.run();
  }
};

}  // namespace

void add_witness(CLI::App& app, Session& session) {
  auto [command, options] = add_command<WitnessCommand>(
      app, session, "witness",
      "Cosign others' logs: each checkpoint, if it goes on from the last one");
  add_value(command, "--key", options.key_file, "FILE", "The witness's key (snl key new --witness)")
      ->required();
  add_value(command, "--policy", options.policy_file, "FILE",
            "The policy that names the logs to cosign")
      ->required();
  add_value(command, "--state", options.state, "FOLDER",
            "The folder in which it keeps what it cosigned last")
      ->required();
  add_value(command, "--listen", options.listen, "HOST:PORT",
            "The address to listen on (default: 127.0.0.1:8081; port 0: any)");
}

}  // namespace snl::cli
