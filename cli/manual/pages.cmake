# Makes pages for man(1) from Markdown: a file NAME.SECTION.md becomes manSECTION/NAME.SECTION.
#
#   cmake -P pages.cmake PANDOC TEXTS FOLDER
cmake_minimum_required(VERSION 3.25)

cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
file(GLOB texts ${CMAKE_ARGV4}/*.md)
while(texts)
  list(SUBLIST texts 0 ${processors} batch)
  list(REMOVE_ITEM texts ${batch})
  set(commands)
  foreach(text IN LISTS batch)
    get_filename_component(page ${text} NAME_WLE)
    string(REGEX MATCH "[0-9]$" section ${page})
    file(MAKE_DIRECTORY ${CMAKE_ARGV5}/man${section})
    set(command
        ${CMAKE_ARGV3} --standalone --from=gfm-raw_html+yaml_metadata_block --to=man --wrap=preserve
        --metadata=hyphenate=false --metadata=adjusting=l --lua-filter=${CMAKE_CURRENT_LIST_DIR}/man.lua
        --output=${CMAKE_ARGV5}/man${section}/${page} ${text})
    list(APPEND commands COMMAND ${command})
  endforeach()
  execute_process(${commands} COMMAND_ERROR_IS_FATAL ANY) # at once, as a pipeline through which nothing flows
endwhile()
