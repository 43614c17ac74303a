// export

#include "cli/playback/playback_view.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output_file.hpp"
#include "commands.hpp"
#include "export_formats.hpp"
#include "flags.hpp"
#include "number_options.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

struct Export {
  std::string game;
  std::string format{export_formats().front().name};
  std::string output = "-";
  ExportOptions options;
  Existing existing = Existing::keep;

  void run(Session& session) const {
    const ExportFormat& chosen = *find_export_format(format);
    check_options(chosen);
    StoreReader& store = session.store_to_read(game);
    const std::string id = session.resolve(store, game);
    OutputFile file(session, output, existing);
    chosen.write({.store = store, .id = id, .options = options},
                 [&](std::string_view part) { file.write(part); });
    file.commit();
  }

 private:
  /// An option that the format has no use for is a mistake.
  void check_options(const ExportFormat& chosen) const {
    constexpr double slowest = 0.01;
    constexpr double fastest = 100;
    if (options.at && chosen.takes != ExportFormat::Takes::turn)
      throw Failure(Exit::usage,
                    fmt::format("--at {}: a {} file holds every turn; -f svg draws one",
                                *options.at, format));
    if (options.of_a_recording() && chosen.takes != ExportFormat::Takes::recording)
      throw Failure(Exit::usage,
                    fmt::format("--width, --height and --speed are of a recording: a {} "
                                "file has none; see -f cast",
                                format));
    const auto is_possible = [](double speed) { return speed >= slowest && speed <= fastest; };
    if (options.speed && !is_possible(*options.speed))
      throw Failure(Exit::usage,
                    fmt::format("--speed {}: it is {} to {}", *options.speed, slowest, fastest));
  }
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats())
    names.emplace_back(format.name);
  return names;
}

std::string footer() {
  std::string text;
  for (const ExportFormat& format : export_formats())
    text += fmt::format("  {:<7}{}\n", format.name, format.about);
  return text +
         "A csv file has a header, then turn, player, dice, rolled, from, landed, to, jump,\n"
         "outcome and next of each turn (RFC 4180, UTF-8). A name that begins as a formula does "
         "has\n"
         "an apostrophe in front. Where a spreadsheet makes a date of dice such as 6-3, import "
         "that\n"
         "column as text.";
}

void add_recording_options(CLI::App& command, ExportOptions& options) {
  add_number(command, "--width", options.width, "Columns of a recording (default: 80)",
             smallest_screen.columns, 500);
  add_number(command, "--height", options.height, "Rows of a recording (default: 24)",
             smallest_screen.rows, 200);
  command.add_option("--speed", options.speed, "Times the normal speed, of a recording")
      ->type_name("X");
}

}  // namespace

void add_export(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("export", "Write a game as a file");
  auto options = std::make_shared<Export>();
  command->add_option("GAME", options->game, "An ID, a unique prefix, @ or @-N")->required();
  command->add_option("-f,--format", options->format, "What is written (default: jsonl); see below")
      ->check(CLI::IsMember(format_names()))
      ->type_name("FORMAT");
  add_number(*command, "--at", options->options.at,
             "The turn that the picture shows (default: the last)")
      ->type_name("TURN");
  add_recording_options(*command, options->options);
  command->add_option("-o,--output", options->output, "The file (default: stdout)")
      ->type_name("FILE");
  add_force_flag(*command, options->existing);
  command->footer(footer());
  command->callback([options, &session] { options->run(session); });
}

}  // namespace snl::cli
