import { CESAREAN, DELIVERY_METHODS } from './codes.ts';
import type { CourseOfCare } from './course.ts';

type Labor = Pick<
  CourseOfCare,
  'induction' | 'induction_agents' | 'induction_indication' | 'augmentation' | 'augmentation_agents'
>;

/** Also true if a method or a reason is known; `null` if it is not stated. */
export const wasInduced = ({
  induction,
  induction_agents,
  induction_indication,
}: Labor): boolean | null =>
  induction_agents.length > 0 || induction_indication !== null ? true : induction;

/** Also true if a method is known; `null` if it is not stated. */
export const wasAugmented = ({ augmentation, augmentation_agents }: Labor): boolean | null =>
  augmentation_agents.length > 0 ? true : augmentation;

/** False if the route is not known. */
export const isVaginal = ({ delivery_method }: Pick<CourseOfCare, 'delivery_method'>): boolean =>
  delivery_method !== CESAREAN && DELIVERY_METHODS.has(delivery_method ?? '');
