public import WebFeeds

/// The reply to a request.
public enum HTTPReply: Sendable {
  /// The answer.
  case answer(WebAnswer)
  /// A stream of events, which goes on when its feed has something new.
  case stream(EventStream, HTTPWaker)
  /// Nothing is new: the request is put to the handler again when the feed has something new, or
  /// gets this answer after a time.
  case waiting(HTTPWaker, atMost: Duration, orElse: WebAnswer)
}
