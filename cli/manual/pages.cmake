# Makes pages for man(1) from Markdown: a file NAME.SECTION.md becomes manSECTION/NAME.SECTION.
#
#   cmake -P pages.cmake PANDOC TEXTS FOLDER
cmake_minimum_required(VERSION 3.25)

file(GLOB texts ${CMAKE_ARGV4}/*.md)
foreach(text IN LISTS texts)
  get_filename_component(page ${text} NAME_WLE)
  string(REGEX MATCH "[0-9]$" section ${page})
  file(MAKE_DIRECTORY ${CMAKE_ARGV5}/man${section})
  execute_process(
    COMMAND ${CMAKE_ARGV3} --standalone --from=gfm-raw_html+yaml_metadata_block --to=man --wrap=preserve
            --metadata=hyphenate=false --metadata=adjusting=l --lua-filter=${CMAKE_CURRENT_LIST_DIR}/man.lua
            --output=${CMAKE_ARGV5}/man${section}/${page} ${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
