"""Who is here: sign-in, the visitor's session, the name and the consent of a rater."""
