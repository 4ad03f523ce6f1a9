import { WARNING_REASONS, type Warning, type WarningId } from '../../course/course.ts';
import type { RawValue, Reading } from '../../fhir/readings.ts';

// Our choice: more would fill the event with warnings about one broken Bundle.
const MAX_WARNINGS = 100;

/** Unwraps readings and collects a warning for each omitted value. */
export type WarningCollector = {
  readonly warnings: Warning[];
  readonly unwrap: <T>(field: string, child: number | null, reading: Reading<T>) => T | null;
  /** Adds a warning for an omitted value. @param raw for warnings in the native lane only */
  readonly warn: (field: string, child: number | null, raw: RawValue, id: WarningId) => void;
};

export const collectWarnings = (): WarningCollector => {
  const warnings: Warning[] = [];
  const warn: WarningCollector['warn'] = (field, child, raw, id) => {
    if (warnings.length < MAX_WARNINGS)
      warnings.push({ field, child, raw, id, reason: WARNING_REASONS[id] });
  };
  return {
    warnings,
    warn,
    unwrap: (field, child, reading) => {
      if (reading.kind === 'left-out') warn(field, child, reading.raw, reading.reason);
      else if (reading.kind === 'value' && reading.invisible !== undefined)
        warn(field, child, reading.invisible, 'invisible-characters');
      else if (reading.kind === 'value' && reading.timeOfDay !== undefined)
        warn(field, child, reading.timeOfDay, 'time-of-date');
      return reading.kind === 'value' ? reading.value : null;
    },
  };
};
