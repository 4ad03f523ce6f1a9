import { PLACES_OF_BIRTH } from '../../../domain/course/codes.ts';
import { buildInputAttributes, FieldGroup } from '../layout/field-group.tsx';
import { SelectField } from '../layout/select-field.tsx';
import { formatMonth } from '../text/format-dates.ts';
import { formatAttendant } from './format-figures.ts';
import { ATTENDANT_ROLES, type Filter, listPeriods } from './statistics-filter.ts';

const PERIOD = { name: 'period', label: 'Period' };

/** Filter by period, place, and attendant, in the query of the address. */
export const FilterForm = ({
  filter,
  years,
}: {
  readonly filter: Filter;
  readonly years: readonly number[];
}) => (
  <form
    method="get"
    action="/registry/statistics"
    class="search cluster flex-align-end margin-bottom-205"
  >
    <FieldGroup field={PERIOD}>
      <select {...buildInputAttributes(PERIOD)} class="usa-select field">
        <option value="">All years</option>
        {listPeriods(years).map(({ year, periods }) => (
          <optgroup key={year} label={String(year)}>
            {periods.map((period) => (
              <option key={period} value={period} selected={period === filter.period}>
                {period.length === 4 ? `${period}, whole year` : formatMonth(period)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </FieldGroup>
    <SelectField
      name="place"
      label="Place of birth"
      empty="All places"
      value={filter.place}
      choices={PLACES_OF_BIRTH.map((place) => ({ value: place, text: place }))}
    />
    <SelectField
      name="attendant"
      label="Attendant"
      empty="All attendants"
      value={filter.attendant}
      choices={ATTENDANT_ROLES.map((role) => ({ value: role, text: formatAttendant(role) }))}
    />
    <button type="submit" class="usa-button">
      Show figures
    </button>
  </form>
);
