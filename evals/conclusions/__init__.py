"""What is concluded from a person's diary over many days, on invented and labelled examples."""
