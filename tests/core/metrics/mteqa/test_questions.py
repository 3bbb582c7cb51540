"""Questions by rules: what is asked about, with which words, and what is left out. Sentences made by hand."""

import pytest

from core.metrics.mteqa.questions import questions

pytestmark = pytest.mark.embedded


@pytest.fixture
def ask(backends):
    """The questions about a text by their answers."""

    def run(text, lang):
        (parse,) = backends.parser("auto").parse([text], lang=lang, constituents=False)
        (words,) = backends.reader("word").read([text], lang=lang, entities=True)
        return {one.answer: one for one in questions(text, parse, words, lang)}

    return run


@pytest.mark.parametrize(
    ("text", "answer", "asks", "question"),
    [
        ("太郎は東京で本を買った。", "太郎", "who", "だれが東京で本を買ったか。"),
        ("太郎は東京で本を買った。", "東京", "where", "太郎はどこで本を買ったか。"),
        ("太郎は東京で本を買った。", "本", "what", "太郎は東京で何を買ったか。"),
        ("友人は鞄から靴を出した。", "友人", "who", "だれが鞄から靴を出したか。"),
        ("男は居間から出て行った。", "居間", "where", "男はどこから出て行ったか。"),
        ("学生は１８９５年に横浜へ渡った。", "１８９５年", "when", "学生はいつ横浜へ渡ったか。"),
        ("学生は１８９５年の春に横浜へ渡った。", "１８９５年", "when", "学生は何年の春に横浜へ渡ったか。"),
        ("父は私に本を五冊くれた。", "五冊", "how-many", "父は私に本を何冊くれたか。"),
        ("猫は魚を二つ食べた。", "二つ", "how-many", "猫は魚をいくつ食べたか。"),
        ("机の上に鍵がひとつ置いてある。", "ひとつ", "how-many", "机の上に鍵がいくつ置いてあるか。"),
        ("廊下でひとりの婦人が待っていた。", "ひとり", "how-many", "廊下で何人の婦人が待っていたか。"),
        ("ふたりは村まで歩いた。", "ふたり", "how-many", "何人が村まで歩いたか。"),
        ("太郎は三分ののちに先へ進んだ。", "三分", "how-many", "太郎は何分ののちに先へ進んだか。"),
        ("彼女は百円で花を買った。", "百円", "how-many", "彼女はいくらで花を買ったか。"),
    ],
)
def test_a_japanese_question_word_stands_where_the_answer_stood(ask, text, answer, asks, question):
    found = ask(text, "ja")[answer]
    assert (found.asks, found.text) == (asks, question)


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("「太郎は東京で本を買った。」", "本", "「太郎は東京で____を買った。」"),  # speech
        ("太郎は「東京で本を買った」と言った。", "太郎", "____は「東京で本を買った」と言った。"),
        ("太郎は東京で本を買ったか。", "東京", "太郎は____で本を買ったか。"),  # a question already
        ("太郎はどこで本を買ったのだろう。", "太郎", "____はどこで本を買ったのだろう。"),
        ("太郎は東京で本を買いましたね。", "本", "太郎は東京で____を買いましたね。"),  # no か after ね
        ("象は鼻が長い。", "象", "____は鼻が長い。"),  # だれが鼻が has two subjects
        (
            "日本の首相はパリで演説した。",
            "日本",
            "____の首相はパリで演説した。",
        ),  # どこの首相は would be a topic
        ("当夜は馬を見た。", "当夜", "____は馬を見た。"),  # a time, not 何
        ("男は花を買ったのだった。", "花", "男は____を買ったのだった。"),  # のだったか
        ("三分ののちには太郎が来た。", "三分", "____ののちには太郎が来た。"),  # a topic again
        ("男は脇道を引き返した。", "脇道", "男は____を引き返した。"),  # どこを, not 何を
        ("太郎はもちろん、私も驚いた。", "太郎", "____はもちろん、私も驚いた。"),
        ("厩務員のひとりが戸を押さえた。", "厩務員", "____のひとりが戸を押さえた。"),
        ("彼は身を乗り出した。", "身", "彼は____を乗り出した。"),  # a set phrase
        ("田中先生が大阪から来た。", "田中", "____先生が大阪から来た。"),  # だれ先生
        ("恐ろしい男が門から出てきた。", "男", "恐ろしい____が門から出てきた。"),  # 恐ろしいだれ
        ("我々は四分の一哩ほど歩いた。", "四分の一哩", "我々は____ほど歩いた。"),  # two numerals
        ("彼は第三の部屋で眠った。", "第三", "彼は____の部屋で眠った。"),
        ("弟子は彼を先生と呼んだ。", "先生", "弟子は彼を____と呼んだ。"),  # 何と, not だれと
        ("犬は一日に二度散歩に行く。", "一日", "犬は____に二度散歩に行く。"),  # not いつ
        ("太郎は本を買ったが、母には言わなかった。", "本", "太郎は____を買ったが、母には言わなかった。"),
    ],
)
def test_a_gap_is_left_where_a_japanese_question_word_would_be_wrong(ask, text, answer, question):
    found = ask(text, "ja")[answer]
    assert (found.asks, found.text) == ("gap", question)


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("友人は鞄から靴を出した。", "出した", "友人は鞄から靴を____。"),
        ("猫は屋根の上で眠っていた。", "眠っていた", "猫は屋根の上で____。"),
        ("男は居間から出て行った。", "出て行った", "男は居間から____。"),
        ("犬が急に走り出した。", "走り出した", "犬が急に____。"),
        ("子どもは泥の中で泳いだ。", "泳いだ", "子どもは泥の中で____。"),
        ("大佐は丁寧に一礼する。", "一礼する", "大佐は丁寧に____。"),
        ("母は何も食べなかった。", "食べなかった", "母は何も____。"),
    ],
)
def test_a_japanese_verb_is_asked_about_with_its_endings(ask, text, answer, question):
    assert ask(text, "ja")[answer].text == question


@pytest.mark.parametrize(
    ("text", "lang", "answers"),
    [
        ("そんなことを見たのは太郎です。", "ja", {"見た", "太郎"}),
        ("太郎は本を読んでしまった。", "ja", {"太郎", "本", "読んでしまった"}),
        ("太郎という男がいる。", "ja", {"太郎", "男"}),
        ("「だれ、お出で。」", "ja", set()),
        ("「その通り。」", "ja", set()),
        ("「えッ！」", "ja", set()),
        ("Yacht .", "en", set()),
        ("The U.S.", "en", set()),
        ("お前さんの馬が勝った。", "ja", {"馬", "勝った"}),  # a suffix
        ("少なくとも太郎は来た。", "ja", {"太郎", "来た"}),  # 少なく is half a word
        ("彼はキングス・パイランドへ行った。", "ja", {"キングス・パイランド", "行った"}),
        ("私の犬は自分を見た。", "ja", {"犬", "見た"}),  # pronouns
        ("The meeting begins at 10 : 30 in Rome .", "en", {"meeting", "begins", "Rome"}),
        ("He likes the sharp-witted style of Mary .", "en", {"likes", "Mary"}),
        ("Some dogs can do that .", "en", {"dogs"}),
        ("「ぜひ拝見を。」", "ja", {"拝見"}),  # nothing better can be asked
        ("「ぜひ拝見を。太郎が東京で待っている。」", "ja", {"太郎", "東京", "待っている"}),
        ("No one in Paris saw the tall tree .", "en", {"Paris", "saw", "tall tree"}),
        ("I don ' t know the old man .", "en", {"know", "old man"}),
        ("It was a well-known sick man of Paris .", "en", {"sick man", "Paris"}),
    ],
)
def test_words_that_say_too_little_are_no_answers(ask, text, lang, answers):
    assert set(ask(text, lang)) == answers


@pytest.mark.parametrize(
    ("text", "answer", "asks", "question"),
    [
        ("Mary sent John three letters.", "Mary", "who", "Who sent John three letters?"),
        ("The event attracted many visitors.", "event", "what", "Who or what attracted many visitors?"),
        ("Three cats slept on the warm roof.", "Three", "how-many", "How many cats slept on the warm roof?"),
        ("Mary said that John had sent letters.", "Mary", "who", "Who said that John had sent letters?"),
    ],
)
def test_an_english_subject_at_the_head_is_asked_for(ask, text, answer, asks, question):
    found = ask(text, "en")[answer]
    assert (found.asks, found.text) == (asks, question)


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("The old king died in Paris in 1895.", "in 1895", "The old king died in Paris ____."),
        ("After 1915, workers stayed at home.", "workers", "After 1915, ____ stayed at home."),
        ("The salary of a worker was small.", "salary", "The ____ of a worker was small."),
        ("Mary and Jane walked home slowly.", "Mary", "____ and Jane walked home slowly."),
        ("Mary walked home, but John stayed there.", "Mary", "____ walked home, but John stayed there."),
        ("Science, however, helps all people.", "Science", "____, however, helps all people."),
        ("Did Mary see the two men?", "Mary", "Did ____ see the two men?"),
        ("Mary sent the three letters to Rome", "Mary", "____ sent the three letters to Rome"),
    ],
)
def test_a_gap_is_left_where_an_english_question_word_would_be_wrong(ask, text, answer, question):
    found = ask(text, "en")[answer]
    assert (found.asks, found.text) == ("gap", question)


def test_numbers_inside_other_words_are_not_asked_about(ask):
    assert "19" not in ask("The COVID-19 outbreak hit three cities .", "en")
    assert "three" in ask("The COVID-19 outbreak hit three cities .", "en")
    assert "朝六時" not in ask("彼は毎朝六時に起きて海辺を走る。", "ja")


def test_a_sentence_that_the_parser_cut_in_two_is_asked_about_whole(ask):
    """GiNZA ends a sentence after 半, where no mark ends one."""
    text = "ホームズがいったん取り出した半クラウン銀貨を懐に戻すと、男が門から出てきた。"
    assert ask(text, "ja")["懐"].text == text.replace("懐", "____")


def test_a_bracket_whose_partner_is_in_another_sentence_is_left_out(ask):
    found = ask("「ほら想像力の有難味だ。これで馬は見つかる。」", "ja")
    assert found["想像力"].text == "ほら____の有難味だ。"
    assert found["馬"].text == "これで____は見つかる。"
    assert found["馬"].asks == "gap"


@pytest.mark.parametrize(
    ("text", "lang", "answer"),
    [
        ("五六十人の兵士が門の前に立っていた。", "ja", "五六十人"),
        ("五、六十人の兵士が門の前に立っていた。", "ja", "五、六十人"),
        ("He was born in nineteen oh five.", "en", "nineteen oh five"),
        ("She was five-and-twenty years old.", "en", "five-and-twenty years old"),
    ],
)
def test_a_value_of_several_numerals_is_asked_for_as_a_whole(ask, text, lang, answer):
    assert answer in ask(text, lang)
