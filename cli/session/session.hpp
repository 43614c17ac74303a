// The state that every command shares: the store, its games by reference, the terminal's abilities.
#pragma once

#include "cli/drawing/board_picture.hpp"
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

  /// The store's location: --db, else $SNL_DB, else ${XDG_DATA_HOME:-~/.local/share}/snl/snl.db.
  /// open_store.hpp takes it.
  std::string db_path() const;
  /// The same as people may see it, without a password.
  std::string shown_db() const;

  /// Throws Failure for a file that is the store or a part of it, under any name.
  void check_no_part_of_store(const std::string& file) const;

  /// db_path(), for a command that makes a store: makes the default folder if it is missing.
  std::string db_path_to_create() const;

  /// Opens the store; makes it, and its default folder, if they are missing.
  EventStore& store_to_create();
  /// Opens a store that must exist, for writing. Failure no_such for `game` if there is none.
  EventStore& store_to_write(std::string_view game);
  StoreReader& store_to_read(std::string_view game);
  /// Null if there is no store.
  StoreReader* store_to_read_if_any();
  /// The store's administration, whether or not there is a store.
  std::unique_ptr<StoreAdmin> admin() const;
  /// The same for a store that must exist; Failure if there is none.
  std::unique_ptr<StoreAdmin> present_admin() const;

  /// The ID for a reference: an ID, a unique prefix, @ or @-N. Failure no_such if there is none.
  std::string resolve(EventReader& store, const std::string& reference) const;

  /// Loads the game of a reference, to play on.
  Match match(const std::string& reference);

  /// Says that there is no store, and how to make one.
  std::string no_store_yet() const;

  bool stdout_is_terminal() const;
  bool use_color() const;
  /// The colours for drawing a screen; none if colour is unwanted.
  Colours screen_colours() const;
  /// The columns of the terminal on stdout, at least 40; 80 if unknown.
  int columns() const;
  Glyphs glyphs() const;
  /// A picture without contents, as stdout can show it.
  Picture picture() const;

 private:
  std::optional<std::string> db_path_if_any() const;
  EventStore& open_to_write();
  std::unique_ptr<StoreReader> store_;
};

}  // namespace snl::cli
