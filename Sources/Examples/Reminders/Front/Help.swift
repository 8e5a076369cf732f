/// The texts about the program and its commands.
enum Help {
  static let usage = [
    "Reminders: lists of what there is to do, which stay up to date while you read them.",
    "",
    "USAGE: Reminders [--file PATH]",
    "",
    "  --file PATH   where the reminders are kept; two programs may have the same file",
    "  --help        this text",
    "",
    "Without a file there are some samples, which end with the program.",
    "It reads commands, one a line, from a terminal or a pipe:",
    "",
  ]

  static let commands = [
    "  lists                    the counts, the lists, the tags",
    "  show WHAT                all, today, scheduled, overdue, flagged, a list, or a #tag",
    "  sort due|priority|title  another order",
    "  completed show|hide      with completed reminders, or without",
    "  find WORDS               the ones with these words in title, note or a tag; \"find\" shows all",
    "  add TITLE                a reminder in the shown list",
    "  list TITLE               a new list",
    "  due N WHEN               10:30, +20m, +2h, +3d, today, tomorrow, 2026-06-29, none,",
    "                           or a day with a time",
    "  title N TEXT, note N TEXT",
    "  tag N NAME, untag N NAME",
    "  priority N high|medium|low|none",
    "  done N, flag N           and the opposite the next time",
    "  delete N, clear          a reminder, or the completed ones of what is shown",
    "  undo, redo",
    "  quit",
    "What happens meanwhile is printed, too: + came, - went, ~ changed, > moved.",
  ]
}
