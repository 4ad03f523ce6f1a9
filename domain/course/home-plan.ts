import type { HomePlan } from './codes.ts';
import type { CourseOfCare } from './course.ts';

/** Finds if a home birth was planned: by the answer, else by the planned place. */
export const findHomePlan = ({
  planned_home_birth: answer,
  planned_place_of_birth: place,
}: CourseOfCare): HomePlan => {
  if (answer !== null) return answer;
  if (place === null) return 'unknown';
  return place === 'Home' ? 'yes' : 'no';
};
