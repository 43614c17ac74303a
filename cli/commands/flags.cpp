#include "flags.hpp"

namespace snl::cli {

CLI::Option* add_json_flag(CLI::App& command, OutputForm& form, const std::string& about) {
  return command.add_flag_callback("--json", [&form] { form = OutputForm::json; }, about);
}

CLI::Option* add_force_flag(CLI::App& command, Existing& existing, const std::string& about) {
  return command.add_flag_callback("--force", [&existing] { existing = Existing::replace; }, about);
}

}  // namespace snl::cli
