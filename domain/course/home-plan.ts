import type { HomePlan } from './codes.ts';
import type { CourseOfCare } from './course.ts';

export const findHomePlan = ({
  planned_home_birth: answer,
  planned_place_of_birth: place,
}: CourseOfCare): HomePlan => {
  if (answer !== null) return answer;
  if (place === null) return 'unknown';
  return place === 'Home' ? 'yes' : 'no';
};
