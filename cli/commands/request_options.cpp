#include "request_options.hpp"

#include "number_options.hpp"

namespace snl::cli {

void RequestOptions::add_to(CLI::App& command) {
  add_number(command, "--expect-version", expected_version,
             "Do it only if the game is at this version (else exit 5)")
      ->type_name("N");
  command
      .add_option("--command-id", command_id,
                  "An ID of your choice: the same one again records nothing new")
      ->type_name("TEXT");
}

}  // namespace snl::cli
