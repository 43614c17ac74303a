-- Pages for man(7). pandoc's own would cause warnings, or show other characters than a user types.
-- Use: pandoc --lua-filter=man.lua

-- Literal text: nothing in it is a request, and a dash is the dash that a user types.
local function escaped(text)
  local marks = {["\\"] = "\\e", ["-"] = "\\-", ["~"] = "\\(ti", ["^"] = "\\(ha", ["`"] = "\\(ga"}
  return (text:gsub("[\\%-~^`]", marks):gsub("^[.']", "\\&%0"):gsub("\n([.'])", "\n\\&%1"))
end

local function raw(text)
  return pandoc.RawInline("man", escaped(text))
end

-- The paragraph right after a heading needs no space above it.
local function first_after_heading(blocks)
  for i = 2, #blocks do
    if blocks[i].t == "Para" and blocks[i - 1].t == "Header" then
      blocks[i] = pandoc.Plain(blocks[i].content)
    end
  end
  return blocks
end

-- Two columns hold a term and its definition.
local function definitions(rows)
  local items = {}
  for _, row in ipairs(rows) do
    items[#items + 1] = {row[1][1] and row[1][1].content or {}, {row[2]}}
  end
  return pandoc.DefinitionList(items)
end

-- A long number or hash in a narrow column may be broken anywhere.
local function breakable(text)
  return (escaped(text):gsub("%w+", function(word)
    return #word > 16 and word:gsub(("."):rep(8), "%0\\:") or word
  end))
end

-- The width of a column's text, and the least width that its longest word needs.
local function measure(simple, column)
  local wide, least = 0, 0
  local function look(cell)
    local text = pandoc.utils.stringify(cell)
    wide = math.max(wide, #text)
    for word in text:gmatch("%S+") do
      least = math.max(least, word:find("^%w+$") and math.min(#word, 16) or #word)
    end
  end
  look(simple.header[column])
  for _, row in ipairs(simple.rows) do look(row[column]) end
  return wide, least
end

-- More columns make a table of at most 70 characters, with 3 between columns. The widest columns shrink to fit.
local function narrow(simple)
  local widths, least, all = {}, {}, 3 * (#simple.widths - 1)
  for column = 1, #simple.widths do
    widths[column], least[column] = measure(simple, column)
    all = all + widths[column]
  end
  for _ = 71, all do
    local widest
    for column, width in ipairs(widths) do
      if width > least[column] and width > (widths[widest] or 0) then widest = column end
    end
    if widest then widths[widest] = widths[widest] - 1 end
  end
  for column, width in ipairs(widths) do
    simple.widths[column] = width / 70
  end
  return pandoc.walk_block(pandoc.utils.from_simple_table(simple), {
    Str = function(str) return pandoc.RawInline("man", breakable(str.text)) end,
    Code = function(code) return pandoc.Strong(pandoc.RawInline("man", breakable(code.text))) end,
  })
end

local marks = {
  Str = function(str) return raw(str.text) end,
  Code = function(code) return pandoc.Strong(raw(code.text)) end,
  Strong = function(strong)
    return pandoc.walk_inline(strong, {Strong = function(inner) return inner.content end})
  end,
  Link = function(link) return link.content end,
  Header = function(header)
    header.level = math.max(header.level - 1, 1)
    return header
  end,
  CodeBlock = function(block)
    return pandoc.RawBlock("man", ".RS 4\n.EX\n" .. escaped(block.text) .. "\n.EE\n.RE")
  end,
}

return {
  {Blocks = first_after_heading},
  {Table = function(tables)
    local simple = pandoc.utils.to_simple_table(tables)
    return #simple.widths == 2 and definitions(simple.rows) or narrow(simple)
  end},
  {Pandoc = function(page)
    page.blocks = pandoc.walk_block(pandoc.Div(page.blocks), marks).content
    -- A screen has no pages. Where one would end, man warns of a table.
    page.blocks:insert(1, pandoc.RawBlock("man", ".if n .pl 9999v"))
    return page
  end},
}
