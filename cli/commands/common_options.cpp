#include "common_options.hpp"

#include "number_options.hpp"

namespace snl::cli {

CLI::Option* add_word(CLI::App& command, const std::string& names, std::string& target,
                      const std::vector<std::string>& words, const std::string& type,
                      const std::string& about) {
  return add_value(command, names, target, type, about)->check(CLI::IsMember(words));
}

CLI::Option* add_repeated(CLI::App& command, const std::string& names,
                          std::vector<std::string>& values, const std::string& type,
                          const std::string& about) {
  return add_value(command, names, values, type, about)->allow_extra_args(false);
}

CLI::Option* add_json_flag(CLI::App& command, OutputForm& form, const std::string& about) {
  return command.add_flag_callback("--json", [&form] { form = OutputForm::json; }, about);
}

CLI::Option* add_csv_flag(CLI::App& command, OutputForm& form, const std::string& about) {
  return command.add_flag_callback(
                    "--csv", [&form] { form = OutputForm::csv; }, about)
      ->excludes(command.get_option("--json"));
}

CLI::Option* add_distribution_flag(CLI::App& command, OutputForm& form, bool& distribution) {
  const auto choose = [&] {
    form = OutputForm::csv;
    distribution = true;
  };
  return command
      .add_flag_callback("--distribution", choose,
                         "As CSV, with a row for each number of turns instead")
      ->excludes(command.get_option("--json"));
}

CLI::Option* add_force_flag(CLI::App& command, Occupied& occupied, const std::string& about) {
  return command.add_flag_callback("--force", [&occupied] { occupied = Occupied::replace; }, about);
}

void GameArgument::add_to(CLI::App& command) {
  command.add_option("GAME", game, "An ID, a unique prefix, @ (the newest) or @-N")->required();
  add_json_flag(command, form);
}

void RequestOptions::add_to(CLI::App& command) {
  add_number(command, "--expect-version", expected_version,
             "Do it only if the game is at this version (else exit 5)");
  command
      .add_option("--command-id", command_id,
                  "An ID of your choice; sent again, it records nothing new")
      ->type_name("TEXT");
}

Failure estimates_only(const std::string& why) {
  return {Exit::usage, why + "; snl simulate estimates them, with --games 1000000 to within 0.1 %"};
}

}  // namespace snl::cli
