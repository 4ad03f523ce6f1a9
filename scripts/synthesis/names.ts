import type { Random } from './random.ts';

// Common names in all combinations, none of a real person. Some are long, or have accents,
// particles, apostrophes, or spaces, because real ones do and software fails on them.
const listOf = (names: string): readonly string[] => names.split(', ');

type Pool = {
  readonly families: readonly string[];
  readonly women: readonly string[];
  readonly girls: readonly string[];
  readonly boys: readonly string[];
};

const GENERAL: Pool = {
  families: listOf(
    'Adams, Allen, Anderson, Bailey, Baker, Barnes, Bell, Bennett, Brooks, Brown, Bryant, ' +
      'Butler, Campbell, Carter, Clark, Coleman, Collins, Cook, Cooper, Cox, Davis, Edwards, ' +
      'Evans, Fisher, Flores, Foster, Gray, Green, Griffin, Hall, Hamilton, Harris, Harrison, ' +
      'Hayes, Henderson, Hill, Howard, Hughes, Jackson, James, Jenkins, Johnson, Jones, Kelly, ' +
      'King, Lewis, Long, Marshall, Martin, McDonald, Miller, Mitchell, Moore, Morgan, Morris, ' +
      'Murphy, Myers, Nelson, Parker, Patterson, Perry, Peterson, Phillips, Powell, Price, ' +
      'Reed, Richardson, Roberts, Robinson, Rogers, Ross, Russell, Sanders, Scott, Simmons, ' +
      'Smith, Stewart, Sullivan, Taylor, Thomas, Thompson, Turner, Walker, Ward, Washington, ' +
      'Watson, White, Williams, Wilson, Wood, Wright, Young',
  ),
  women: listOf(
    'Abigail, Alexis, Alicia, Amanda, Amber, Amy, Andrea, Angela, Anna, Ashley, Brianna, ' +
      'Brittany, Caitlin, Chelsea, Christina, Courtney, Crystal, Danielle, Destiny, Diamond, ' +
      'Ebony, Elizabeth, Emily, Erica, Erin, Grace, Hannah, Heather, Imani, Jasmine, Jennifer, ' +
      'Jessica, Jordan, Julia, Kayla, Kelsey, Kiara, Kimberly, Latoya, Laura, Lauren, Lindsey, ' +
      'Madison, Megan, Melissa, Michelle, Morgan, Natalie, Nicole, Olivia, Paige, Rachel, ' +
      'Rebecca, Samantha, Sara, Shanice, Stephanie, Taylor, Tiffany, Tori, Vanessa, Victoria',
  ),
  girls: listOf(
    'Amelia, Aria, Ava, Brielle, Camila, Charlotte, Chloe, Ella, Ellie, Emma, Evelyn, Gianna, ' +
      'Harper, Hazel, Isla, Ivy, Layla, Lily, Luna, Maeve, Mia, Mila, Nora, Nova, Penelope, ' +
      'Riley, Scarlett, Sofia, Violet, Willow, Zoe',
  ),
  boys: listOf(
    'Aiden, Asher, Benjamin, Carter, Daniel, Elijah, Ethan, Ezra, Grayson, Henry, Hudson, Jack, ' +
      'Jackson, James, Kai, Leo, Levi, Liam, Lincoln, Lucas, Maverick, Mason, Miles, Noah, ' +
      'Oliver, Owen, Roman, Sebastian, Theodore, William, Wyatt',
  ),
};

const HISPANIC: Pool = {
  families: listOf(
    'Aguilar, Álvarez, Castillo, Chávez, Contreras, Cruz, Delgado, Díaz, Espinoza, Fernández, ' +
      'Fuentes, García, Gómez, González, Guerrero, Gutiérrez, Hernández, Herrera, Jiménez, ' +
      'López, Maldonado, Martínez, Medina, Méndez, Morales, Muñoz, Núñez, Ortega, Ortiz, Peña, ' +
      'Pérez, Ramírez, Ramos, Reyes, Ríos, Rivera, Rodríguez, Romero, Ruiz, Salazar, Sánchez, ' +
      'Santiago, Soto, Torres, Vargas, Vásquez, Vega, Velázquez, Zúñiga, de la Cruz, de León',
  ),
  women: listOf(
    'Adriana, Alejandra, Ana, Beatriz, Carmen, Carolina, Claudia, Daniela, Elena, Esmeralda, ' +
      'Fernanda, Gabriela, Guadalupe, Inés, Isabel, Itzel, Jazmín, Karina, Leticia, Lucía, ' +
      'Luz, Marisol, María, Maribel, Mónica, Noemí, Paola, Rocío, Rosa, Sofía, Valeria, ' +
      'Verónica, Ximena, Yesenia',
  ),
  girls: listOf(
    'Alondra, Camila, Catalina, Dulce, Elena, Emilia, Isabella, Lucía, Martina, Regina, Renata, ' +
      'Romina, Sofía, Valentina, Victoria, Zoé',
  ),
  boys: listOf(
    'Adrián, Alejandro, Ángel, Diego, Emiliano, Gael, Iker, Joaquín, José, Julián, Luis, Mateo, ' +
      'Matías, Nicolás, Santiago, Sebastián, Thiago',
  ),
};

const ASIAN: Pool = {
  families: listOf(
    'Ahmed, Bui, Chang, Chen, Choi, Das, Dela Cruz, Đặng, Gupta, Hoàng, Huang, Iyer, Kaur, Kim, ' +
      'Le, Lee, Li, Lim, Lin, Liu, Mehta, Nakamura, Ng, Nguyễn, Park, Patel, Phạm, Rao, Reyes, ' +
      'Santos, Shah, Sharma, Singh, Tanaka, Trần, Võ, Wang, Wong, Wu, Xu, Yang, Zhang, Zhao',
  ),
  women: listOf(
    'Aisha, Anjali, Anh, Divya, Hana, Hương, Jia, Joy, Kavya, Lan, Linh, Maricel, Mei, Min-ji, ' +
      'Neha, Pooja, Priya, Rina, Soo-yeon, Thảo, Wei, Xiu, Yuki',
  ),
  girls: listOf('Aanya, Anika, Emi, Hana, Kaya, Leila, Linh, Maya, Mei, Mira, Sana, Yuna, Zara'),
  boys: listOf(
    'Aarav, Arjun, Daniel, Ethan, Hiro, Ian, Jun, Kai, Minh, Nikhil, Rohan, Ryan, Vihaan',
  ),
};

const UNUSUAL: Pool = {
  families: listOf(
    "O'Shaughnessy-Featherstonehaugh, Þórðardóttir, Brzęczyszczykiewicz, D'Angelo, " +
      'van der Westhuizen, St. Clair, Papadopoulou-Konstantinidou, Çelik, Søndergård, ' +
      'Ochieng’-Okonkwo, Wintergrün-Lüdenscheidt, Šimůnková, Llanfairpwllgwyngyll-Ap-Rhys, ' +
      'de los Ángeles Villanueva y Castañeda, Kaʻahumanu, Le, Ng, Yzaguirre-Saint-Amand',
  ),
  women: listOf(
    'Zoë, Siobhán, Chukwuamaka, Mary-Katherine, Renée, Jo, Anne-Sophie, Kaʻiulani, Łucja, ' +
      'Æthelwynne, Maria de Fátima, Ngozichukwuka, Sinéad, Xóchitl, Ólöf, Bo',
  ),
  girls: listOf("Zoë, Aoife, Kaʻimi, Éloïse, Ya'el, Noa-Lynn, Mary Jane, Ximena"),
  boys: listOf("D'Andre, Björn, Seán, Kekoa, Oluwaseun, João, Jean-Luc, Ty"),
};

const UNUSUAL_SHARE = 0.03;
const OWN_POOL_SHARE = 0.75;
const MIDDLE_NAME_SHARE = 0.7;
const DOUBLE_NAME_SHARE = 0.06;

/** Origin of most names in a family. */
export type NameOrigin = 'general' | 'hispanic' | 'asian';

/** Names of a mother. `birthSurname` is `null` if not stated. */
export interface MotherNames {
  readonly family: string;
  readonly given: readonly string[];
  readonly birthSurname: string | null;
}

/** Generates the names of a mother. */
export const motherNames = (origin: NameOrigin, random: Random): MotherNames => {
  const pool = poolFor(origin, random);
  const own = random.pick(pool.families);
  const other = random.pick(poolFor(origin, random).families);
  const family = random.chance(DOUBLE_NAME_SHARE) ? joined(own, other, origin) : own;
  return {
    family,
    given: [
      random.pick(pool.women),
      ...(random.chance(MIDDLE_NAME_SHARE) ? [random.pick(poolFor(origin, random).women)] : []),
    ],
    birthSurname: random.chance(0.85) ? (random.chance(0.55) ? other : family) : null,
  };
};

/** Generates the given names of a child. */
export const childNames = (
  origin: NameOrigin,
  sex: 'male' | 'female',
  random: Random,
): readonly string[] => {
  const pool = poolFor(origin, random);
  const list = sex === 'male' ? pool.boys : pool.girls;
  const first = random.pick(list);
  const second = random.pick(list);
  return random.chance(MIDDLE_NAME_SHARE) && second !== first ? [first, second] : [first];
};

/** Generates the name of a provider. */
export const professionalName = (random: Random): { given: string; family: string } => {
  const pool = poolFor(random.pick(['general', 'general', 'hispanic', 'asian']), random);
  return {
    given: random.pick(random.chance(0.75) ? pool.women : pool.boys),
    family: random.pick(pool.families),
  };
};

const poolFor = (origin: NameOrigin, random: Random): Pool => {
  if (random.chance(UNUSUAL_SHARE)) return UNUSUAL;
  if (origin === 'general' || !random.chance(OWN_POOL_SHARE)) return GENERAL;
  return origin === 'hispanic' ? HISPANIC : ASIAN;
};

const joined = (first: string, second: string, origin: NameOrigin): string =>
  origin === 'hispanic' ? `${first} ${second}` : `${first}-${second}`;
