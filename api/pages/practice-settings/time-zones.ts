import type { Choice } from '../frame/select-field.tsx';

const US_ZONES: readonly Choice[] = [
  { value: 'America/New_York', text: 'Eastern (New York)' },
  { value: 'America/Chicago', text: 'Central (Chicago)' },
  { value: 'America/Denver', text: 'Mountain (Denver)' },
  { value: 'America/Phoenix', text: 'Mountain without daylight saving (Phoenix)' },
  { value: 'America/Los_Angeles', text: 'Pacific (Los Angeles)' },
  { value: 'America/Anchorage', text: 'Alaska (Anchorage)' },
  { value: 'Pacific/Honolulu', text: 'Hawaii (Honolulu)' },
  { value: 'America/Puerto_Rico', text: 'Atlantic (Puerto Rico)' },
  { value: 'Pacific/Guam', text: 'Chamorro (Guam)' },
  { value: 'Pacific/Pago_Pago', text: 'Samoa (Pago Pago)' },
];

const IN_THE_US = new Set(US_ZONES.map(({ value }) => value));

const ELSEWHERE: readonly Choice[] = Intl.supportedValuesOf('timeZone')
  .filter((zone) => !IN_THE_US.has(zone))
  .map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));

/** Time zones to choose from: those of the United States first. @param held is always among them */
export const timeZoneChoices = (held: string): readonly Choice[] => {
  const known = [...US_ZONES, ...ELSEWHERE];
  return known.some(({ value }) => value === held)
    ? known
    : [...known, { value: held, text: held.replaceAll('_', ' ') }];
};
