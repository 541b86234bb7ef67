/** A small set of our own, so that the benchmark needs no file: prose, code, numbers, dates, five languages. */
import type { RecallConversation, RecallSet } from "./recall-set.ts";

type Turn = readonly [prompt: string, answer: string];
/** A question, and the numbers of the turns that answer it; `a` after a number means the answer, else the prompt. */
type Asked = readonly [question: string, ...evidence: readonly string[]];

function conversation(turns: readonly Turn[], asked: readonly Asked[]): RecallConversation {
  return {
    messages: turns.flatMap(([prompt, answer], nth) => [
      { id: `${nth + 1}`, role: "user" as const, text: prompt },
      { id: `${nth + 1}a`, role: "assistant" as const, text: answer },
    ]),
    questions: asked.map(([question, ...evidence]) => ({ question, evidence })),
  };
}

const household = conversation(
  [
    ["We moved to the yellow house on Birch Lane last spring.", "Congratulations! How is the new place?"],
    ["The roof leaks above the pantry, so we called a roofer.", "Did they find out where the water comes in?"],
    ["A cracked tile. It cost 340 euros to mend.", "That is less than I feared."],
    ["My sister Nora bought a sailing boat.", "Is she going to keep it at the lake?"],
    ["Yes, at the marina in Lindau. She named it Kittiwake.", "A small gull: a fine name for a boat."],
    ["I am allergic to walnuts, by the way.", "I will keep that in mind for every recipe."],
    ["What should I cook for eight people?", "A tray of roasted vegetables with couscous feeds eight."],
    ["The children started swimming lessons on Tuesdays.", "Then Tuesdays are taken; I plan around them."],
    ["Our dentist appointment is on 14 March 2026 at half past nine.", "Noted."],
    ["Tom broke his wrist at football practice.", "Poor Tom. How long must he wear the cast?"],
    ["Six weeks, the doctor said.", "So until the middle of May."],
    ["We adopted a greyhound from the shelter.", "What is the dog called?"],
    ["Pepper. He hates thunderstorms.", "A dark, quiet room helps many dogs."],
    ["The boiler shows error E17 again.", "On this model E17 means that the pressure is too low."],
    ["I topped it up to 1.5 bar and it went away.", "Good. Check it again next week."],
    ["Grandmother turns ninety in October.", "Shall I help you plan a party?"],
    ["Yes please, about thirty guests, in her garden.", "I would rent a marquee in case it rains."],
    ["The bank wants 2,450.75 euros for the last instalment.", "Is that the loan for the kitchen?"],
    ["Yes, and then it is paid off.", "A good reason to celebrate."],
    ["I started to learn the cello.", "A lovely instrument. Do you have a teacher?"],
    ["Mr Okafor comes every second Friday.", "Then you have two weeks to practise each piece."],
    ["The neighbours keep bees and gave us honey.", "Their linden trees must be in bloom."],
  ],
  [
    ["Where do we live?", "1"],
    ["How much did mending the roof cost?", "3"],
    ["What is Nora's boat called?", "5"],
    ["Where does my sister keep her boat?", "5"],
    ["Which nuts must I not eat?", "6"],
    ["On which day do the kids swim?", "8"],
    ["When do we see the dentist?", "9"],
    ["What happens on 2026-03-14?", "9"],
    ["How long does Tom wear the cast?", "11", "10a"],
    ["Which animal did we adopt and what is its name?", "12", "13"],
    ["What is Pepper afraid of?", "13"],
    ["What does E17 mean?", "14a"],
    ["How many guests come to grandmother's birthday?", "17"],
    ["How much is the last instalment, 2450.75?", "18"],
    ["Who teaches me the cello?", "21"],
    ["What did the neighbors give us?", "22"],
  ],
);

const work = conversation(
  [
    ["The function parseOrderLines drops empty rows.", "Then the totals are wrong whenever a row is blank."],
    ["We keep retries in retry_policy.yaml.", "With how many attempts?"],
    ["Five attempts, starting at 200 ms.", "That gives about six seconds in all."],
    ["The deploy failed with ECONNRESET in eu-west-2.", "Was the load balancer being replaced at that time?"],
    ["Yes. Release 4.18.2 went out at noon afterwards.", "Then the outage lasted forty minutes."],
    ["Unsere Rechnungen werden am Monatsende verschickt.", "Und wer prüft sie vorher?"],
    ["Frau Brandt prüft alle Rechnungen über 5.000 Euro.", "Gut, dann frage ich sie bei großen Beträgen."],
    ["Nous avons choisi le fournisseur de Lyon pour les emballages.", "Est-ce que les prix ont baissé ?"],
    ["Oui, de douze pour cent depuis janvier.", "C'est une bonne nouvelle."],
    ["La reunión con los clientes de Bogotá es el 3 de junio.", "¿Quién va a presentar el proyecto?"],
    ["Lucía presentará los resultados.", "Perfecto, preparo las láminas para ella."],
    ["東京の事務所は来年移転します。", "新しい住所は決まりましたか。"],
    ["はい、品川駅の近くです。", "駅から近いのは便利ですね。"],
    ["We hash passwords with argon2id since the audit.", "Are the old bcrypt hashes upgraded on login?"],
    ["They are, in upgradeHashOnLogin.", "Then the old ones fade out by themselves."],
    ["Priya leads the migration to Postgres.", "When does she expect to finish it?"],
    ["By the end of the third quarter.", "I put that into the plan."],
    ["Standup moved from 9:15 to 10:00.", "Changed for everybody?"],
    ["Only for the platform team.", "Noted for the platform team."],
  ],
  [
    ["What is wrong with parse order lines?", "1"],
    ["Which file holds the retry policy?", "2"],
    ["How many attempts are made?", "3"],
    ["Why did deploying fail?", "4"],
    ["When was 4.18.2 released?", "5"],
    ["Wann verschicken wir die Rechnung?", "6"],
    ["Wer prüft eine große Rechnung?", "7"],
    ["Quels fournisseurs avons-nous choisis ?", "8"],
    ["¿Cuándo nos reunimos con el cliente de Bogotá?", "10"],
    ["¿Quién presenta el resultado?", "11"],
    ["東京の事務所はいつ移転しますか", "12"],
    ["新しい事務所はどこですか 品川", "13"],
    ["How do we hash a password?", "14"],
    ["Where are hashes upgraded on login?", "15", "14a"],
    ["Who leads the Postgres migration, and when is it finished?", "16", "17"],
    ["When is the standup of the platform team?", "18", "19"],
  ],
);

export const ownSet: RecallSet = { name: "our own", conversations: [household, work] };
