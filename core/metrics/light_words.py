"""Words that say too little to be an answer, in both languages, and words that stand for people.

Data by hand: nouns and verbs by their dictionary form, as the parsers give it.
"""

from __future__ import annotations

import re

from core.trees import ParsedWord

LIGHT_NOUNS = frozenset(
    "こと 事 もの 物 者 のち 後 あまり 余り ところ 所 ため 為 よう 様 はず 筈 わけ 訳 ほう 方 とき 時 頃 ころ うち 内 "
    "中 なか 上 うえ まま つもり 通り とおり おかげ せい 代わり かわり ほか 他 外 場合 際 折 点 辺 間 あいだ たび 度 "
    "以上 以外 以下 以来 気 お目 今 いま 前 あと ふう 風に 風情 限り かぎり 次第 途端 たん くせ 癖 つど さま どおり "
    "それぞれ たち 等 など 何 ひと 感じ 具合 一方 最中 ついで 始末 的 そば 側 ゆえ 故 かた ぐらい みたい だけ たがい 互い "
    "thing things way ways lot lots kind kinds sort sorts rest part case order course example instance addition "
    "account other others one ones same such etc fact matter sake terms bit while means spite regard".split()
)
LIGHT_VERBS = frozenset(
    "する 為る ある 有る 在る いる 居る おる なる 成る できる 出来る ござる くださる しまう いう ゆう 得る える ない 無い "
    "ねえ よい 良い いい 宜しい もらう くれる いただく なさる いらっしゃる たい やる らしい いたす 致す みる おく "
    "be have do according include regard concern exclude let such due own able get most".split()
)
HELPING = frozenset(
    "いる ある おく みる くる 来る 行く いく しまう もらう くれる やる あげる いただく くださる みせる おる いらっしゃる "
    "ほしい まいる 参る ゆく".split()
)
"""Verbs that only help the verb before them, after て."""
QUESTION_WORDS = frozenset(
    "何 なに なん だれ 誰 どこ 何処 いつ 何時 どう なぜ 何故 いくつ いくら どの どれ どんな どちら どなた いずれ "
    "who whom whose what which where when why how".split()
)
BODY = frozenset("手 身 目 眼 耳 口 顔 首 肩 腰 足 脚 腕 胸 腹 頭 息 声 心 力 涙 膝 指 舌 額 眉 唇".split())
"""Parts of the body: in set phrases (身を乗り出す) nobody asks 何を."""
PLACES = frozenset(
    "部屋 居間 寝室 台所 廊下 玄関 庭 門 家 屋敷 町 街 村 国 都 駅 港 学校 病院 教会 寺 店 宿 宿屋 酒場 食堂 広場 公園 森 林 山 "
    "川 海 湖 島 浜 浜辺 海岸 岸 丘 谷 野原 畑 田 道 通り 橋 城 塔 会社 工場 役所 警察 警察署 銀行 ホテル 旅館 事務所 書斎 図書館 "
    "厩舎 厩 小屋 牧場 荒地 荒野 沼 故郷 都会 田舎 外国 天国 地獄 教室 車内".split()
)
"""Nouns that どこ asks for, before に, へ, で, から or まで."""
_PERSON = re.compile(
    "(?:[者人師官員長佐尉督父母兄弟姉妹夫妻娘君兵手家僧主客友童嬢王神爺婆]|男|女|彼女?|子|子供|こども|警部|警視|婦人|"
    "奥さん|さん|少年|少女|青年|老人|先生|学生|生徒|博士|教授|刑事|探偵|友達|仲間|夫婦|家族|召使い?|殿|氏|たち|達)$"
)
_NOT_PEOPLE = frozenset("相手 勝手 切手 上手 下手 片手 両手 右手 左手 家 国家 人家 農家 民家 成長 様子 椅子 帽子 菓子 調子".split())


def light(word: ParsedWord) -> bool:
    """Whether a word by itself says too little to be an answer."""
    forms = {word.text.lower(), word.lemma.lower()}
    if word.pos in ("NOUN", "PROPN"):
        return bool(forms & LIGHT_NOUNS) or "感動詞" in word.tag
    return word.pos in ("VERB", "ADJ", "AUX") and bool(forms & LIGHT_VERBS)


def person(noun: str) -> bool:
    """Whether a Japanese noun stands for people, by its last characters."""
    return noun not in _NOT_PEOPLE and _PERSON.search(noun) is not None
