import { formSeatOf, SEAT_FIELD } from '../../web/form-seat.ts';
import { useFrame } from '../frame/frame-context.ts';

/** The hidden field that says who opened a form that is saved for nobody else. */
export const SeatField = () => (
  <input type="hidden" name={SEAT_FIELD} value={formSeatOf(useFrame().who)} />
);
