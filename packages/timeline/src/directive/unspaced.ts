/**
 * Whether a sentence gives the agent a permanent order, in Chinese, Japanese and Korean.
 *
 * The words of these languages are not separated, so a word counts wherever it occurs. A sentence that lasts ("以后",
 * "いつも") is an order when it also asks for something: by a word in Chinese ("请", "不要"), by its ending in Japanese
 * ("てください", "ないで") and Korean ("주세요", "마"). A request without such a word is a permanent order if it is about the way
 * the agent answers and not about one thing ("这个", "この", "이").
 */

/** Words that say that an order lasts. */
export const LASTING_UNSPACED =
  /从现在(?:开始|起)|從現在(?:開始|起)|从今(?:以后|往后|天起)|從今以後|以[后後]|今后|今後|往后|总是|總是|永远|永遠|始终|始終|一律|绝不|絕不|每次|每当|每當|再也|これから|今後|今から|必ず|常に|いつも|決して|絶対に?|毎回|ずっと|二度と|앞으로|지금부터|이제부터|항상|언제나|절대로?|매번|늘 |다시는|더 이상/u;
/** Words that ask the agent for something. */
const ASKED =
  /请(?!问|問)|請(?!問)|不要|不许|不准|不得|别(?![人的处])|別(?![人的々のに])|勿|务必|務必|记得|希望你|想让你|要你|需要你|麻烦你|[てで](?:ください|下さい|くださいね|くれ(?:ますか|る|ない)?|ほしい(?:です)?|欲しい(?:です)?|ね|よ|もらえ[가-힣ぁ-ん]*)?[。．！!〜~\s]*$|ないで(?:ください|下さい|ね|ほしい)?[。！!\s]*$|お願い(?:します|いたします|ね)?[。！!\s]*$|なさい[。！!\s]*$|ように(?:して|お願い)|(?:すること|禁止)[。！!\s]*$|(?:주세요|주십시오|줘요?|줄래요?|마세요?|마십시오|말아 ?줘?|하세요|하십시오|해라|해|부탁[가-힣ぁ-ん]*|바랍니다|바라요|써|말해|답해)[.!~\s]*$/u;
/** Verbs with the agent as subject, which make an order without a word that asks. */
const AGENT_VERB =
  /回答|回复|回覆|答复|注明|引用|用(?:中|英|日|法|德|简|簡)|称呼|稱呼|使用|避免|保持|先说|先說|先给|先給|写|寫|告诉我|告訴我|给我|給我|提醒我|都给|都用/u;
/** Words about the form of answers. */
const MANNER =
  /中文|英文|英语|英語|日语|日文|法语|德语|日本語|中国語|韓国語|敬語|タメ口|摄氏|华氏|攝氏|華氏|摂氏|公里|英里|公制|英制|メートル|マイル|キロ|欧元|歐元|美元|人民币|日元|ユーロ|ドル|24小时|24時間|24시간|表情|表格|列表|绘文字|絵文字|顔文字|颜文字|emoji|行话|术语|專業術語|専門用語|敬语|客套|废话|道歉|谢罪|謝|简洁|簡潔|简短|簡短|详细|詳細|短く|詳しく|簡潔に|箇条書き|表は|表を使|冗談|スラング|한국어|영어|일본어|섭씨|화씨|미터|킬로|마일|유로|달러|존댓말|반말|이모지|이모티콘|표는|표를|전문 ?용어|농담|사과|짧게|간결|자세히|길게/u;
/** Words that limit an order to the present request. */
const ONCE =
  /这(?!样|里的回答)|這(?!樣)|那(?:个|個|篇|段|份|本)|一(?:首|个|個|篇|份|封|段|张|張|下)|翻译成|翻譯成|この|その|あの|これ(?!から|以)|それ|今回|もう一度|一度|ここ|翻訳|訳して|(?:^|\s)(?:이|그|저|이것|그것|이거|그거)(?:을|를)? |이번|한 번|하나|번역/u;
/** Sentences about somebody else than the speaker or the agent, or about what the speaker does. */
const OTHERS =
  /^[^，,。]{0,6}?(?:他们?|她们?|它们?|大家|人们|老板|老闆|妻子|丈夫|妈妈|爸爸|朋友|孩子|同事|老师|彼女?は|彼ら|妻は|夫は|母は|父は|友達は|上司は|先生は|みんな|子供は|아내|남편|그는|그녀|엄마|아빠|친구|사장|동생|아이는|선생)|我(?!问|問|说|說|发|發|提|让|讓|要求|希望|想让|要你|需要你|的(?:名字|回答)|吃|是|给你|請|请|贴|貼|写的|寫的)(?:就|都|也|只|还|還|会|會|再也|从来|從來|永远|永遠|总是|總是|一直|在)/u;

/** Words that give names or preferences of the speaker. */
const NAMES =
  /(?:^|[，,。、请請就你]|以[后後]|可以|都)(?:叫|称呼|稱呼)我|我叫|我的名字|と呼んで|私の名前は|(?:라고|이라고) 불러|(?:제|내) 이름은/u;
export const PREFERENCES =
  /我(?:还是|還是|一般|通常|其实|其實|个人|個人)?(?:更|比较|比較|最)喜[欢歡]|我(?:个人|個人|一般|通常)?(?:偏好|偏爱|偏愛|宁愿|寧願)|(?:方|ほう)が(?:好き|いい|良い|よい)|好みです|がいいです|선호(?:해|합니다|하는)|더 좋아(?:해|합니다|하는)|[이가] 더 좋/u;
/** Orders to stop something, such as "别再道歉了", "もう謝らないで" or "그만 사과해". */
const STOPS =
  /(?:不要|别|別)再|もう[^。]{0,12}(?:ないで|なくていい)|のは?(?:やめて|止めて)|그만 ?(?:사과|말|질문|반복|써|쓰)|좀 그만/u;
const COMFORT = /担心|擔心|难过|難過|哭|心配|気にし|걱정|울지/u;
/** "回答要简短", "回答は短くしてください", "답변은 짧게 해 주세요". */
const PRODUCT = /(?:回答|回复|回覆|答案|返答|返事|答え)(?:要|请|請|都|は|を|も)|(?:답변|대답|답)(?:은|는|을)/u;
const EACH_SAID =
  /(?:不确定|不確定|不知道|不清楚)(?:的时候|的時候|时|時|就)|如果你?(?:不确定|不確定|不知道)|(?:每次|每当|每當|当|當|如果)(?:我|我们|我們)(?:问|問|说|說|发|發|提|要求|贴|貼|聊|谈|談)|(?:聞いた|尋ねた|頼んだ|送った|質問した|貼った|話す|わからない|分からない|知らない)(?:とき|時|ら|場合)|(?:물어보면|물으면|모르면|확실하지 않으면|부탁하면|보내면|말하면|질문하면)/u;

export function givesUnspacedOrder(text: string): boolean {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return false;
  if (OTHERS.test(text)) return false;
  if (NAMES.test(text) || PREFERENCES.test(text)) return true;
  const [isAsked, isLasting, isOnce] = [ASKED.test(text), LASTING_UNSPACED.test(text), ONCE.test(text)];
  const isManner = MANNER.test(text);
  if (STOPS.test(text)) return !COMFORT.test(text) && !isOnce;
  if (EACH_SAID.test(text) && (isAsked || isLasting)) return true;
  if (isLasting && (isAsked || AGENT_VERB.test(text))) return !(isOnce && !isManner && !FROM_NOW.test(text));
  if (isOnce) return false;
  return (PRODUCT.test(text) && (isAsked || isManner)) || (isAsked && isManner);
}

/** Phrases that are permanent in any order; "必ず" and "절대" alone only stress a request for one thing. */
const FROM_NOW = /从现在|從現在|从今|從今|以[后後]|今[后後]|これから|今から|앞으로|지금부터|이제부터|다시는|二度と/u;
