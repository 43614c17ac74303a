// What every command shares: where the store is, what the terminal can show, which game is meant.
#pragma once

#include "cli/drawing/frame.hpp"
#include "domain/narration.hpp"
#include "storage/match.hpp"
#include "storage/open_store.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

class Session {
 public:
  // Set by the options that every command takes.
  std::string db_option;
  std::string color_option = "auto";

  /// --db, else $SNL_DB, else ${XDG_DATA_HOME:-~/.local/share}/snl/snl.db: where the store is, as
  /// open_store.hpp takes it.
  std::string db_path() const;
  /// The same as people may see it: without a password.
  std::string shown_db() const;

  /// Throws Failure for a file that is the store or a part of it, by whatever name.
  void check_no_part_of_store(const std::string& file) const;

  /// The same, with the default folder made if it isn't there, for who makes a store.
  std::string db_path_to_create() const;

  /// Makes the store, and its default folder, if they aren't there.
  EventStore& store_to_create();
  /// A store to write to that must be there: Failure no_such for `game` if it isn't.
  EventStore& store_to_write(std::string_view game);
  StoreReader& store_to_read(std::string_view game);
  /// Null if there is no store.
  StoreReader* store_to_read_if_any();
  /// Who looks after the store, whether or not it is there.
  std::unique_ptr<StoreAdmin> admin() const;
  /// Of one that must be there: Failure if it isn't.
  std::unique_ptr<StoreAdmin> present_admin() const;

  /// The ID that a person means: an ID, a unique prefix, @ or @-N. Failure no_such otherwise.
  std::string resolve(EventReader& store, const std::string& reference) const;

  /// The game that is meant, to play on.
  Match match(const std::string& reference);

  /// That there is none, and how to make one.
  std::string no_store_yet() const;

  bool stdout_is_terminal() const;
  bool use_color() const;
  /// What a screen is drawn with: none where colour is unwanted.
  Colours screen_colours() const;
  /// Of the terminal that stdout is, at least 40; 80 where that isn't known.
  int columns() const;
  Glyphs glyphs() const;

 private:
  std::optional<std::string> db_path_if_any() const;
  EventStore& open_to_write();
  std::unique_ptr<StoreReader> store_;
};

}  // namespace snl::cli
