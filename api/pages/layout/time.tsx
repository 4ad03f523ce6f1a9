import { formatTime } from '../text/format-times.ts';
import { useFrame } from './frame-context.ts';

/** Time on the practice's clock: "May 12, 2026, 2:03 PM". The footer or the time names the zone. */
export const Time = ({ at }: { readonly at: Date }) => (
  <time dateTime={at.toISOString()}>{formatTime(at, useFrame())}</time>
);
