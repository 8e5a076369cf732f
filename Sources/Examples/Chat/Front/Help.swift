/// The texts about the program and its commands.
enum Help {
  static let usage = [
    "Chat: conversations of several people, which stay up to date while you read them.",
    "",
    "USAGE: Chat [--file PATH --as NAME]",
    "",
    "  --file PATH   where the messages are kept; each person starts a program on the same file",
    "  --as NAME     who you are; a new name joins",
    "  --help        this text",
    "",
    "Without a file there are some samples, which end with the program.",
    "It reads commands, one a line, from a terminal or a pipe:",
    "",
  ]

  static let commands = [
    "  list              the conversations, the latest first, with the numbers of unread messages",
    "  open N            a conversation, from its end",
    "  unread            the open conversation, from the first unread message",
    "  end               the open conversation, from its end",
    "  new TITLE         a new conversation",
    "  say TEXT          a message",
    "  as NAME TEXT      a message by somebody else, to try the program alone",
    "  edit N TEXT       another text for your message; delete N deletes it",
    "  react N SIGN      a sign under a message, such as 👍",
    "  read              what is shown has been read",
    "  find WORDS        the messages of all conversations with these words; \"find\" ends the search",
    "  pause, resume     the open conversation stands still, and catches up",
    "  quit",
    "What happens meanwhile is printed, too: + came, - was deleted, ~ changed, > moved.",
  ]
}
