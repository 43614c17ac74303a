// A tool of the build: writes a C++ source that holds the SQL files of migrations/postgres.
//
//   snl_embed_postgres_migrations FOLDER OUTPUT

#include "storage/embedding.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// A ServerMigration for each file. They are named NNNN_name.sql, and numbered from 0001 without
/// gaps.
std::string migrations_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".sql") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::string migrations;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string stem = paths[i].stem().string();
    const std::string digits = std::to_string(i + 1);
    const std::string number =
        std::string(4 - std::min<std::size_t>(digits.size(), 4), '0') + digits;
    if (!stem.starts_with(number + "_"))
      throw std::runtime_error(paths[i].string() + ": the name must begin with " + number + "_");
    migrations += "    ServerMigration{" + digits + ", \"" + stem.substr(number.size() + 1) +
                  "\", " + snl::literal_of(snl::contents_of(paths[i])) + "},\n";
  }
  return migrations;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: snl_embed_postgres_migrations FOLDER OUTPUT");
    std::ofstream(argv[2], std::ios::binary)
        << "#include \"storage/postgres/upgrade.hpp\"\n\n#include <array>\n\n"
           "namespace snl::postgres {\n\nstd::span<const ServerMigration> server_migrations() {\n"
           "  static constexpr std::array embedded{\n"
        << migrations_in(argv[1])
        << "  };\n  return embedded;\n}\n\n}  // namespace snl::postgres\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "snl_embed_postgres_migrations: " << error.what() << '\n';
    return 1;
  }
}
