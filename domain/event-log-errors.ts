/** The log is unavailable or did not respond in time. An append may or may not have been stored. */
export class EventLogUnavailable extends Error {
  override readonly name: string = 'EventLogUnavailable';
}

/**
 * The log answers, but is not known to be the one of this registry, so nothing was appended. The message says
 * what an operator does.
 */
export class EventLogUnconfirmed extends EventLogUnavailable {
  override readonly name = 'EventLogUnconfirmed';
}

/**
 * The log hides events of a stream of ours, or has lost them. What they said is unknown, so nothing is decided until
 * the stream is whole.
 */
export class StreamTruncated extends EventLogUnavailable {
  override readonly name = 'StreamTruncated';
  constructor(stream: string) {
    super(
      `Events of the stream ${stream} are hidden or lost. Remove $maxCount, $maxAge, and $tb from the settings of the stream. If the events are gone, restore the log from a backup; if there is none, run \`birth-registry rebuild --accept-loss\`.`,
    );
  }
}

/** No event is at the position from which a subscription was to continue, as after the restore of another copy of the log. */
export class EventLogPositionRefused extends EventLogUnavailable {
  override readonly name = 'EventLogPositionRefused';
}

/** An append exceeded its deadline. It may or may not have been stored. */
export class EventLogTooSlow extends EventLogUnavailable {
  override readonly name: string = 'EventLogTooSlow';
}

/** The certificate that the log shows is not accepted. The message says why. */
export class EventLogCertificateRefused extends EventLogUnavailable {
  override readonly name = 'EventLogCertificateRefused';
}

/** The node that answers is not the leader, and the leader that it names was not reached. */
export class EventLogNotLeader extends EventLogUnavailable {
  override readonly name = 'EventLogNotLeader';
}

/**
 * The log rejected a request, and a retry would fail too: the request is invalid, too large, or forbidden, or
 * its stream was deleted.
 */
export class EventLogRefused extends Error {
  override readonly name: string = 'EventLogRefused';
}

/**
 * The registry's log account lacks valid credentials or permissions. The message names the setting that the
 * operator has to fix.
 */
export class EventLogAccessDenied extends EventLogRefused {
  override readonly name: string = 'EventLogAccessDenied';
}

/** Event that does not match the JSON Schema of its type. The message names the type and the path. */
export class EventInvalid extends Error {
  override readonly name = 'EventInvalid';
}
