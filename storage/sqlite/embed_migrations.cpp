// A tool of the build: writes a C++ source that holds the SQL files of migrations/ and the schema
// that they make, so that a store's schema can be compared with it at no cost.
//
//   snl_embed_migrations FOLDER OUTPUT

#include "schema.hpp"
#include "sqlite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct File {
  std::string number;  // "0001"
  std::string name;
  std::string sql;
};

/// All of a file. Throws std::runtime_error if it can't be read.
std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": it can't be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A raw C++ string literal of `text`.
std::string literal_of(const std::string& text) {
  if (text.find(")embedded\"") != std::string::npos)
    throw std::runtime_error("a text has )embedded\" in it");
  return "R\"embedded(" + text + ")embedded\"";
}

/// NNNN_name.sql, numbered from 0001 without gaps.
std::vector<File> read_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".sql") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<File> files;
  for (const auto& path : paths) {
    const std::string stem = path.stem().string();
    const std::string number = fmt::format("{:04}", files.size() + 1);
    if (!stem.starts_with(number + "_"))
      throw std::runtime_error(path.string() + ": the name must begin with " + number + "_");
    files.push_back({number, stem.substr(number.size() + 1), contents_of(path)});
  }
  return files;
}

std::string generate(const std::vector<File>& files) {
  auto connection = snl::sqlite::Connection::in_memory();
  std::string migrations;
  for (const File& file : files) {
    connection.execute(file.sql.c_str());
    migrations += fmt::format("    Migration{{{}, \"{}\", {}}},\n", std::stoi(file.number),
                              file.name, literal_of(file.sql));
  }
  std::string schema;
  for (const auto& object : snl::schema_of(connection))
    schema += fmt::format("    {{\"{}\", \"{}\", \"{}\", {}}},\n", object.type, object.name,
                          object.table, literal_of(object.sql));
  return fmt::format(
      "#include \"storage/sqlite/migrations.hpp\"\n\n#include <array>\n\nnamespace snl {{\n\n"
      "std::span<const Migration> migrations() {{\n  static constexpr std::array embedded{{\n{}  "
      "}};\n"
      "  return embedded;\n}}\n\n"
      "std::vector<SchemaObject> expected_schema() {{\n  return {{\n{}  }};\n}}\n\n}}  // "
      "namespace snl\n",
      migrations, schema);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: snl_embed_migrations FOLDER OUTPUT");
    std::ofstream(argv[2], std::ios::binary) << generate(read_folder(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "snl_embed_migrations: {}\n", error.what());
    return 1;
  }
}
