import { CommandRefused } from './command-refused.ts';

// An offset such as +05:00 is a zone for some versions of Intl; a practice's clock knows summer.
const LOOKS_LIKE_A_ZONE = /^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

/** The IANA id of a time zone that this machine knows. @throws CommandRefused for anything else */
export const knownTimeZone = (text: string): string => {
  const timeZone = text.trim();
  if (LOOKS_LIKE_A_ZONE.test(timeZone) && isKnown(timeZone)) return timeZone;
  throw new CommandRefused('This is no time zone: use an IANA name, such as America/New_York.');
};

const isKnown = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
};
